import { createElement, Fragment, type ReactNode } from 'react'

// Behind the @, before the slashes of a path, but not between those behind a scheme.
const JOINTS = /(?<=@)|(?<=[^/:])(?=\/)/

/** An address that is too long for its place breaks at its joints before it does anywhere else. */
export function breakable(address: string): ReactNode {
  const [first, ...others] = address.split(JOINTS)
  return createElement(Fragment, null, first, ...others.flatMap((piece) => [createElement('wbr'), piece]))
}

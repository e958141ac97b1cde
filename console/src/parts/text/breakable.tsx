import { createElement, Fragment, type ReactNode } from 'react'

// After an @ and before the slashes of a path, but not between the slashes of a scheme.
const JOINTS = /(?<=@)|(?<=[^/:])(?=\/)/

/** Lets a long address break at its separators before it breaks elsewhere. */
export function breakable(address: string): ReactNode {
  const [first, ...others] = address.split(JOINTS)
  return createElement(Fragment, null, first, ...others.flatMap((piece) => [createElement('wbr'), piece]))
}

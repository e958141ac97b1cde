import { hash } from 'node:crypto'
import { invalid, type Fault } from '../../faults.ts'
import type { Expected } from '../../precondition.ts'

/** A tag with what follows it. Commas inside the quotes are part of the tag (RFC 9110 section 8.8.3). */
const TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(,|$)/y
const LIST_MAX = 100
/** Characters of a state's name, six bits each: nobody meets two states of one thing with the same name. */
const NAME_LENGTH = 22

/** The strong entity tag of a version. */
export function etagOf(version: number | string): string {
  return `"${version}"`
}

/** The strong entity tag of what has no version: a hash of how it is shown. */
export function etagOfState(shown: object): string {
  return etagOf(nameOf(shown))
}

const nameOf = (shown: object): string => hash('sha256', JSON.stringify(shown), 'base64url').slice(0, NAME_LENGTH)

/** What an If-Match header requires: any existing version, or one of these. */
type IfMatch = { readonly any: true } | { readonly any: false; readonly tags: readonly string[] }

/**
 * Reads If-Match (RFC 9110 section 13.1.1); null when the header is absent. Weak tags never match.
 * @throws Fault 422 at header.if-match when malformed
 */
export function parseIfMatch(header: string | undefined): IfMatch | null {
  if (header === undefined) return null
  if (header.trim() === '*') return { any: true }
  const tags: string[] = []
  TAG.lastIndex = 0
  for (let read = 0, next = ','; next === ','; read++) {
    const match = read < LIST_MAX ? TAG.exec(header) : null
    if (match === null) throw malformed()
    if (match[1] === undefined) tags.push(match[2])
    next = match[3]
  }
  return { any: false, tags }
}

/** Whether the current version satisfies If-Match; true without the header. */
export function isMatch(demand: IfMatch | null, version: number | string): boolean {
  return demand === null || demand.any || demand.tags.includes(String(version))
}

/** Tells whether a version satisfies an If-Match header; null when every version does. @throws Fault when malformed */
export function expectedVersion(header: string | undefined): Expected<number> {
  const demand = parseIfMatch(header)
  return demand === null || demand.any ? null : (version) => isMatch(demand, version)
}

/** Tells whether a state, as it is shown, satisfies an If-Match header; null like `expectedVersion`. @throws like it */
export function expectedState(header: string | undefined): Expected<object> {
  const demand = parseIfMatch(header)
  return demand === null || demand.any ? null : (shown) => isMatch(demand, nameOf(shown))
}

function malformed(): Fault {
  return invalid(['header', 'if-match'], 'etag_invalid', 'Input should be * or a list of entity tags such as "3"')
}

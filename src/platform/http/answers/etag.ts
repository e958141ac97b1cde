import { invalid, type Fault } from '../../faults.ts'

/** A tag with what follows it. Commas inside the quotes are part of the tag (RFC 9110 section 8.8.3). */
const TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(,|$)/y
const LIST_MAX = 100

/** The strong entity tag of a version. */
export function etagOf(version: number): string {
  return `"${version}"`
}

/** What an If-Match header requires: any existing version, or one of these. */
type IfMatch = { readonly any: true } | { readonly any: false; readonly versions: readonly number[] }

/**
 * Reads If-Match (RFC 9110 section 13.1.1); null when the header is absent. Weak tags, and tags that are no version,
 * never match.
 * @throws Fault 422 at header.if-match when malformed
 */
export function parseIfMatch(header: string | undefined): IfMatch | null {
  if (header === undefined) return null
  if (header.trim() === '*') return { any: true }
  const versions: number[] = []
  TAG.lastIndex = 0
  for (let read = 0, next = ','; next === ','; read++) {
    const match = read < LIST_MAX ? TAG.exec(header) : null
    if (match === null) throw malformed()
    if (match[1] === undefined && /^[1-9]\d{0,14}$/.test(match[2])) versions.push(Number(match[2]))
    next = match[3]
  }
  return { any: false, versions }
}

/** Whether the current version satisfies If-Match; true without the header. */
export function isMatch(demand: IfMatch | null, version: number): boolean {
  return demand === null || demand.any || demand.versions.includes(version)
}

/** Tells whether a version satisfies an If-Match header; null when every version does. @throws Fault when malformed */
export function expectedVersion(header: string | undefined): ((version: number) => boolean) | null {
  const demand = parseIfMatch(header)
  return demand === null || demand.any ? null : (version) => isMatch(demand, version)
}

function malformed(): Fault {
  return invalid(['header', 'if-match'], 'etag_invalid', 'Input should be * or a list of entity tags such as "3"')
}

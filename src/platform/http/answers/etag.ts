import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { invalid, type Fault } from '../../faults.ts'
import { EXPECT_ANY, type Expected } from '../../precondition.ts'

/** Matches a tag and the separator after it. Commas inside the quotes are part of the tag (RFC 9110 section 8.8.3). */
const TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(,|$)/y
const LIST_MAX = 100
/** Characters of a state's name, six bits each: two states of one resource practically never get the same name. */
const NAME_LENGTH = 22

/** Returns the strong entity tag of a version. */
export function etagOf(version: number | string): string {
  return `"${version}"`
}

/** Sets the entity tag of a version. @returns the answer */
export function withTag<T>(reply: FastifyReply, version: number | string, answer: T): T {
  reply.header('etag', etagOf(version))
  return answer
}

/** Sets the entity tag of an object that has a version. @returns the object */
export function withVersion<T extends { readonly version: number }>(reply: FastifyReply, answer: T): T {
  return withTag(reply, answer.version, answer)
}

/** Sets the strong entity tag of an object without a version: a hash of its state, as answers show it. @returns it */
export function withState<T extends object>(reply: FastifyReply, answer: T): T {
  return withTag(reply, nameOf(answer), answer)
}

const nameOf = (state: object): string => hash('sha256', JSON.stringify(state), 'base64url').slice(0, NAME_LENGTH)

/** Demand of an If-Match header: any existing version, or one of some versions. */
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

/** Tells whether the current version satisfies If-Match; true without the header. */
export function isMatch(demand: IfMatch | null, version: number | string): boolean {
  return demand === null || demand.any || demand.tags.includes(String(version))
}

/**
 * Returns a check whether a version satisfies an If-Match header; null without the header. To a write that may create,
 * null is the version of what does not exist: no tag and not even `*` matches it (RFC 9110 section 13.1.1).
 * @throws Fault 422 at header.if-match when the header is malformed
 */
export function expectedVersion(header: string | undefined): Expected<number | string | null> {
  const demand = parseIfMatch(header)
  if (demand === null) return null
  return demand.any ? EXPECT_ANY : (version) => version !== null && isMatch(demand, version)
}

/** Returns the same check for a state, as answers show it. @throws Fault like `expectedVersion` */
export function expectedState(header: string | undefined): Expected<object> {
  const expected = expectedVersion(header)
  if (expected === null) return null
  return expected === EXPECT_ANY ? EXPECT_ANY : (state) => expected(nameOf(state))
}

function malformed(): Fault {
  return invalid(['header', 'if-match'], 'etag_invalid', 'Input should be * or a list of entity tags such as "3"')
}

import type { Question, RawAnswer } from './answers.ts'
import { type Ids, questionOf } from './rows.ts'
import { UNKNOWN } from './world.ts'

/** Returns the kinds of things that a row's request names. */
export function namedBy(route: string, ids: Ids): (keyof Ids)[] {
  const plain = JSON.stringify(questionOf(route, ids))
  const names = Object.keys(ids) as (keyof Ids)[]
  return names.filter((name) => JSON.stringify(questionOf(route, { ...ids, [name]: UNKNOWN })) !== plain)
}

/** Returns the same question asked in another way. */
type Vary = (question: Question) => Question

export const same: Vary = (question) => question
const CODINGS = { 'accept-encoding': 'zstd, br, gzip' }

/** Ways in which any request can be asked differently: compressed, strictly, and with a field that nothing reads. */
export const OTHERWISE_ASKED: readonly Vary[] = [
  (question) => ({ ...question, headers: { ...question.headers, ...CODINGS, prefer: 'handling=strict' } }),
  (question) => ({
    ...question,
    path: `${question.path}${question.path.includes('?') ? '&' : '?'}nobody_reads_this=1`,
    headers: { ...question.headers, ...CODINGS },
  }),
]

/** Routes of things with a state of their own, besides entries, that compare an If-Match with it. */
const COMPARED = /^(PUT|PATCH|DELETE) .*\/(categories|projects|workspaces|merchandising|judged-sets|users)\/\{\w+_id\}$/

const guess: Vary = (question) => ({ ...question, headers: { ...question.headers, 'if-match': '"2"' } })

/** Returns the ways in which a request that names something can be asked differently. */
export const otherwiseAsked = (route: string): readonly Vary[] =>
  COMPARED.test(route) ? [...OTHERWISE_ASKED, guess] : OTHERWISE_ASKED

/**
 * Returns variants of a request that might reveal more: without an answer body, with a guessed version, with faults.
 */
export function variantsOf(route: string): Vary[] {
  const having =
    (part: Partial<Question>): Vary =>
    (question) => ({ ...question, ...part })
  if (route.startsWith('GET ')) return [having({ method: 'HEAD' })]
  if (!route.endsWith('/knowledge-entries/{entry_id}')) return []
  if (route.startsWith('DELETE ')) return [guess]
  return [guess, having({ body: { type: 'memory' } }), having({ body: { metadata: { a: 1 } } })]
}

/** Tells whether an answer tells of nothing that the request named. */
export function isRefusedOrEmpty({ status, text, json }: RawAnswer): boolean {
  const answer = json as { status?: string; total?: { searches: number } } | null
  return [404, 422].includes(status) || text === '[]' || answer?.status === 'failed' || answer?.total?.searches === 0
}

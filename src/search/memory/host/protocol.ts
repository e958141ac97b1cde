/**
 * Messages between the calling thread and the search worker. Every message costs microseconds, whatever its size, so
 * one message carries all searches or answers of one turn of the event loop. Small objects travel as JSON, which is
 * cheaper than structured cloning.
 */
import { damageIn } from '../../../platform/damage.ts'
import type { TenantShare } from '../../tenant-share.ts'
import type { PausedIndex } from './cool-downs.ts'
import {
  type Correction,
  type EngineStatus,
  EngineUnavailable,
  IndexBehind,
  IndexBuilding,
  IndexRefused,
  type Facets,
  type HitExplanation,
  type HitPassage,
  type QueryAlternative,
  type IndexVersion,
  type RefusalReason,
  type SearchAnswer,
  type SearchRequest,
  SearchTimedOut,
} from '../../engine.ts'
import type { IndexEvent } from '../index/index-event.ts'

/** Milliseconds that a start waits for indexes to be read from their snapshots; the rest is read beside searches. */
export const WARM_WITHIN_MS = 2_000

export interface WorkerOptions {
  /** File URL of a module that exports `createSources`. */
  readonly sourceModule: string
  /** Argument of `createSources`; must survive structured cloning. */
  readonly sourceOptions: unknown
  /** Bytes that all indexes together may use. */
  readonly bytesMax: number
  /**
   * Bytes that one tenant's indexes may use. The default is half of `bytesMax`, so no tenant alone displaces all
   * others.
   */
  readonly tenantBytesMax?: number
  /** Milliseconds that a search waits for an index that is being built; by default until the index is built. */
  readonly buildWaitMs?: number
  /** Milliseconds that a search waits for the latest texts; by default until the index has them. */
  readonly freshWaitMs?: number
  /** Folder for snapshots and for parts of indexes, and the bytes of each kind; by default there are none. */
  readonly snapshots?: { readonly folder: string; readonly bytesMax: number } | null
  /** Tenants whose snapshots are read at the start; by default all. */
  readonly share?: TenantShare
  /** Milliseconds that `warmed` waits for snapshots; by default `WARM_WITHIN_MS`. */
  readonly warmWithinMs?: number
  /** Milliseconds that `warmed` waits where indexes must be built; by default no longer than for snapshots. */
  readonly rebuildWithinMs?: number
}

/** A search without its vector. */
interface PackedRequest extends Omit<SearchRequest, 'vector'> {
  readonly call: number
  /** Number of components of `vectors` that belong to this search; -1 if the search has no vector. */
  readonly vector: number
}

export interface SearchMessage {
  readonly kind: 'search'
  /** JSON of `PackedRequest`s. */
  readonly requests: string
  /** All vectors end to end. */
  readonly vectors: Float32Array
}

export type ToWorker =
  | SearchMessage
  | { readonly kind: 'drop'; readonly call: number; readonly tenantId: string }
  /** Tenants of which this process has written something. */
  | { readonly kind: 'written'; readonly tenantIds: readonly string[] }
  /** Says which indexes only a search may bring up to date for a while. */
  | { readonly kind: 'pause'; readonly indexes: readonly PausedIndex[] }
  | { readonly kind: 'check'; readonly call: number }
  /** Gives back the memory of tenants outside the share. */
  | { readonly kind: 'keep'; readonly call: number; readonly share: TenantShare }
  | { readonly kind: 'warmed'; readonly call: number }
  | { readonly kind: 'status'; readonly call: number; readonly tenantId: string | null }

export interface PackedError {
  readonly call: number
  /** The error's class name; the caller treats EngineUnavailable and RangeError differently from others. */
  readonly name: string
  readonly message: string
  /** Reason of an IndexRefused; absent for other errors. */
  readonly reason?: RefusalReason
  /** Code of damage that the database told of; absent for other errors. */
  readonly code?: string
  readonly retryAfterMs?: number
  /** Progress of an IndexBuilding; absent for other errors. */
  readonly building?: { readonly percent: number; readonly retryAfterMs: number }
}

interface PackedAnswer {
  readonly call: number
  readonly total: number
  readonly isExact?: boolean | undefined
  readonly behind?: number | undefined
  readonly leftOut?: number | undefined
  readonly ids: readonly string[]
  /** The relevance of each hit. */
  readonly ratings?: readonly number[] | undefined
  readonly explanations: readonly HitExplanation[] | null
  /** `matched` of each hit; absent where no hit has it. */
  readonly matched?: readonly (string | null)[] | undefined
  readonly passages?: readonly (HitPassage | null)[]
  readonly facets?: Facets | undefined
  readonly corrections?: readonly Correction[] | undefined
  readonly alternatives?: readonly QueryAlternative[] | undefined
}

export interface AnswerMessage {
  readonly kind: 'answers'
  /** JSON of `PackedAnswer`s. */
  readonly answers: string
  /**
   * For each answer, the refresh and search times in milliseconds, then the change, similarity and score of each hit.
   */
  readonly numbers: Float64Array
  readonly errors: readonly PackedError[]
}

/** What the thread did for a tenant since it told so last. */
export interface IndexLoad {
  readonly tenantId: string
  /** Milliseconds of searches, and of reading, compacting and storing indexes. */
  readonly workMs: number
  /** Memory of the tenant's indexes. */
  readonly bytes: number
}

export type FromWorker =
  | AnswerMessage
  | { readonly kind: 'done'; readonly call: number; readonly value: EngineStatus | boolean | null }
  /** Bytes of indexes that fit on the thread's heap. */
  | { readonly kind: 'started'; readonly heapBytesMax: number }
  | { readonly kind: 'event'; readonly event: IndexEvent }
  | { readonly kind: 'loads'; readonly loads: readonly IndexLoad[] }
  | { readonly kind: 'catching-up'; readonly version: IndexVersion; readonly isOver: boolean }

export interface SearchThreadProtocol {
  readonly data: WorkerOptions
  readonly order: ToWorker
  readonly report: FromWorker
}

export function packError(call: number, error: Error): PackedError {
  const { name, message } = error
  if (error instanceof IndexBuilding) {
    const { percent, retryAfterMs } = error
    return { call, name, message, building: { percent, retryAfterMs } }
  }
  if (error instanceof IndexBehind) return { call, name, message, retryAfterMs: error.retryAfterMs }
  const code = damageIn(error)?.code
  if (code !== undefined) return { call, name, message, code }
  if (!(error instanceof IndexRefused)) return { call, name, message }
  return { call, name, message, reason: error.reason, retryAfterMs: error.retryAfterMs }
}

export function unpackError({ name, message, reason, retryAfterMs, building, code }: PackedError): Error {
  if (code !== undefined) return Object.assign(new Error(`search failed: ${message}`), { code })
  if (building !== undefined) return new IndexBuilding(building.percent, building.retryAfterMs)
  if (name === 'IndexBehind') return new IndexBehind(retryAfterMs ?? 0)
  if (reason !== undefined) return new IndexRefused(reason, retryAfterMs)
  if (name === 'SearchTimedOut') return new SearchTimedOut(message)
  if (name === 'EngineUnavailable' || name === 'ArenaFull') return new EngineUnavailable(message)
  return name === 'RangeError' ? new RangeError(message) : new Error(`search failed: ${message}`)
}

export function packSearches(searches: readonly { call: number; request: SearchRequest }[]): SearchMessage {
  let length = 0
  for (const { request } of searches) length += request.vector?.length ?? 0
  const vectors = new Float32Array(length)
  let at = 0
  const requests = searches.map(({ call, request }): PackedRequest => {
    const { vector, ...rest } = request
    if (vector !== null) {
      vectors.set(vector, at)
      at += vector.length
    }
    return { ...rest, call, vector: vector?.length ?? -1 }
  })
  return { kind: 'search', requests: JSON.stringify(requests), vectors }
}

export function unpackSearches({ requests, vectors }: SearchMessage): { call: number; request: SearchRequest }[] {
  let at = 0
  return (JSON.parse(requests) as PackedRequest[]).map(({ call, vector, ...rest }) => {
    const from = at
    at += Math.max(0, vector)
    return { call, request: { ...rest, vector: vector < 0 ? null : vectors.subarray(from, at) } }
  })
}

/** Packs the answers and errors of one turn of the event loop into a message. */
export function packAnswers(
  answered: readonly { call: number; answer: SearchAnswer }[],
  errors: readonly PackedError[],
): AnswerMessage {
  let length = 0
  for (const { answer } of answered) length += 2 + 3 * answer.hits.length
  const numbers = new Float64Array(length)
  let at = 0
  const answers = answered.map(({ call, answer }): PackedAnswer => {
    numbers[at++] = answer.timing.refresh
    numbers[at++] = answer.timing.search
    for (const hit of answer.hits) {
      numbers[at++] = hit.seq
      numbers[at++] = hit.similarity
      numbers[at++] = hit.score
    }
    const isExplained = answer.hits[0]?.explanation !== undefined
    const explanations = isExplained ? answer.hits.map((hit) => hit.explanation!) : null
    const ids = answer.hits.map((hit) => hit.id)
    const hasMatched = answer.hits.some((hit) => hit.matched !== undefined)
    const matched = hasMatched ? answer.hits.map((hit) => hit.matched ?? null) : undefined
    const isRated = answer.hits[0]?.relevance !== undefined
    const ratings = isRated ? answer.hits.map((hit) => hit.relevance!) : undefined
    const { total, isExact, behind, leftOut, facets, corrections, alternatives } = answer
    const packed = {
      call,
      total,
      isExact,
      behind,
      leftOut,
      ids,
      ratings,
      explanations,
      matched,
      facets,
      corrections,
      alternatives,
    }
    if (answer.hits[0]?.passage === undefined) return packed
    return { ...packed, passages: answer.hits.map((hit) => hit.passage!) }
  })
  return { kind: 'answers', answers: JSON.stringify(answers), numbers, errors }
}

export function unpackAnswers({ answers, numbers }: AnswerMessage): { call: number; answer: SearchAnswer }[] {
  let at = 0
  return (JSON.parse(answers) as PackedAnswer[]).map((packed) => {
    const { call, total, isExact, behind, leftOut, ids, ratings, explanations } = packed
    const { matched, passages, facets, corrections, alternatives } = packed
    const timing = { refresh: numbers[at++], search: numbers[at++] }
    const hits = ids.map((id, i) => {
      const plain = { id, seq: numbers[at++], similarity: numbers[at++], score: numbers[at++] }
      const leader = matched?.[i] ?? null
      const withLeader = leader === null ? plain : { ...plain, matched: leader }
      const withRelevance = ratings === undefined ? withLeader : { ...withLeader, relevance: ratings[i] }
      const withPassage = passages === undefined ? withRelevance : { ...withRelevance, passage: passages[i] }
      return explanations === null ? withPassage : { ...withPassage, explanation: explanations[i] }
    })
    const more = {
      ...(isExact === undefined ? {} : { isExact }),
      ...(behind === undefined ? {} : { behind }),
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(facets === undefined ? {} : { facets }),
      ...(corrections === undefined ? {} : { corrections }),
      ...(alternatives === undefined ? {} : { alternatives }),
    }
    return { call, answer: { hits, total, ...more, timing } }
  })
}

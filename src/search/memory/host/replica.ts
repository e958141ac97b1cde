import type { EngineStatus, IndexSource, IndexVersion, SearchAnswer, SearchRequest } from '../../engine.ts'
import { sumOf } from '../columns/memory-size.ts'
import { BATCH_MAX } from '../query/similarity.ts'
import type { TenantIndex } from '../index/tenant-index.ts'

/** What a caller waits for: an answer, or, if `request` is null, an up-to-date replica. */
export interface Job {
  readonly version: IndexVersion
  readonly request: SearchRequest | null
  /** Called once. */
  readonly settle: (outcome: SearchAnswer | null | Error) => void
}

export interface Waiting extends Job {
  readonly since: number
}

/** A tenant's replica of one index with the vectors of one model. */
export interface Replica {
  readonly key: string
  readonly version: IndexVersion
  readonly source: IndexSource
  index: TenantIndex
  waiting: Waiting[]
  /** Whether the host has scheduled its waiting searches. */
  isDue: boolean
  /** Where the next catch-up starts. May be beyond `index.reached` if the last one failed halfway. */
  cursor: number
  catchingUp: boolean
  /** While it is brought up to date for the first time: since when, and which share is done. */
  building: { readonly began: number; done: number } | null
  compacting: boolean
  /** It is being written to disk, as its snapshot or to be paged out; its closed segments stay as they are meanwhile. */
  isWriting: boolean
  /** Changes applied since its snapshot, and when the last one was, on the host's clock. */
  changes: number
  changedAt: number
  /** Whether its snapshot was read, or writing one was tried, and when; before that, when the replica was made. */
  isSaved: boolean
  savedAt: number
  /** Built in place of one whose vectors had another size; an earlier snapshot is not read. */
  isAnew: boolean
  /** When its snapshot was last marked as used. */
  touchedAt: number
  dropped: boolean
  /** Order and time of last use; the time is on the host's clock in milliseconds. */
  lastUsed: number
  usedAt: number
  /** When its size was last measured, on the same clock. */
  measuredAt: number
  /** Milliseconds of its most expensive recent search; 0 before the first. */
  searchMs: number
  /** Since when its searches give way to other tenants' reading, on the host's clock; null if they do not. */
  gaveWayAt: number | null
}

export function newReplica(key: string, version: IndexVersion, source: IndexSource, index: TenantIndex): Replica {
  const idle = { cursor: 0, catchingUp: false, compacting: false, isWriting: false, dropped: false }
  return {
    key,
    version,
    source,
    index,
    waiting: [],
    building: null,
    isDue: false,
    ...idle,
    changes: 0,
    changedAt: 0,
    isSaved: false,
    savedAt: 0,
    isAnew: false,
    touchedAt: 0,
    lastUsed: 0,
    usedAt: 0,
    measuredAt: 0,
    searchMs: 0,
    gaveWayAt: null,
  }
}

/** Time for searches of one index in one turn of the event loop, before others get theirs. */
export const TURN_MS = 8

/**
 * How many searches to answer together. Together they share a scan, but expensive ones must not add up.
 * @param leftMs what remains of the turn
 */
export function batchMax({ searchMs }: Pick<Replica, 'searchMs'>, leftMs: number): number {
  return searchMs === 0 ? BATCH_MAX : Math.max(1, Math.min(BATCH_MAX, Math.floor(leftMs / searchMs)))
}

/** Whether each of its searches may take a whole turn. */
export function isExpensive(replica: Pick<Replica, 'searchMs'>): boolean {
  return batchMax(replica, TURN_MS) === 1
}

/**
 * Records the time that `count` searches took together. Expensive ones count at once and fade slowly; otherwise cheap
 * searches between them would let many expensive ones into one turn.
 */
export function noteSearches(replica: Pick<Replica, 'searchMs'>, ms: number, count: number): void {
  const each = ms / count
  replica.searchMs = Math.max(each, (7 * replica.searchMs + each) / 8)
}

/** About how long a build will take from now, in milliseconds; Infinity before anything is done. */
export function remainingMs({ began, done }: NonNullable<Replica['building']>, now: number): number {
  return done === 0 ? Infinity : ((now - began) * (1 - done)) / done
}

/** Whether no search waits for it, so it may be dropped. */
export function isIdle(replica: Replica): boolean {
  return replica.waiting.length === 0 && !replica.catchingUp
}

/** Whether its segments are read or changed by work that goes on over several turns. */
export function isAtWork({ catchingUp, compacting, isWriting }: Replica): boolean {
  return catchingUp || compacting || isWriting
}

export function statusOf(replicas: readonly Replica[], bytesMax: number): EngineStatus {
  return {
    indexes: replicas.length,
    documents: replicas.reduce((sum, { index }) => sum + index.documents, 0),
    passages: replicas.reduce((sum, { index }) => sum + index.passages, 0),
    unreadable: replicas.reduce((sum, { index }) => sum + index.unreadable, 0),
    bytes: sumOf(replicas.map(({ index }) => index.size)).bytes,
    fileBytes: replicas.reduce((sum, { index }) => sum + index.fileBytes + index.pages.laidOutBytes, 0),
    pagedOut: replicas.filter(({ index }) => index.pages.pagedOutBytes > 0).length,
    bytesMax,
    refused: 0,
  }
}

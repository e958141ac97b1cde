import type { EngineStatus, IndexSource, IndexVersion, SearchAnswer, SearchRequest } from '../engine.ts'
import { sumOf } from './memory-size.ts'
import { BATCH_MAX } from './similarity.ts'
import type { TenantIndex } from './tenant-index.ts'

/** What a caller waits for: an answer, or only that a copy is up to date (`request` null). */
export interface Job {
  readonly version: IndexVersion
  readonly request: SearchRequest | null
  /** Called once. */
  readonly settle: (outcome: SearchAnswer | null | Error) => void
}

export interface Waiting extends Job {
  readonly since: number
}

/** A tenant's copy of one index with the vectors of one model. */
export interface Copy {
  readonly key: string
  readonly version: IndexVersion
  readonly source: IndexSource
  readonly index: TenantIndex
  waiting: Waiting[]
  /** Whether the host is about to look at what waits. */
  isDue: boolean
  /** Where the next catch-up begins. May be ahead of what `index.reached` promises, after one that broke off. */
  cursor: number
  catchingUp: boolean
  compacting: boolean
  dropped: boolean
  /** Order of use, and when, on the host's clock in milliseconds. */
  lastUsed: number
  usedAt: number
  /** When its size was last looked at, on the same clock. */
  measuredAt: number
  /** What the dearest of its latest searches took, in milliseconds; 0 before the first. */
  searchMs: number
}

export function newCopy(key: string, version: IndexVersion, source: IndexSource, index: TenantIndex): Copy {
  const idle = { cursor: 0, catchingUp: false, compacting: false, dropped: false }
  return {
    key,
    version,
    source,
    index,
    waiting: [],
    isDue: false,
    ...idle,
    lastUsed: 0,
    usedAt: 0,
    measuredAt: 0,
    searchMs: 0,
  }
}

/** What the searches of one index may take in one turn of the event loop, before others have theirs. */
const TURN_MS = 8

/** How many of its searches are answered in one turn: they share a scan, but dear ones are not to add up. */
export function turnMax({ searchMs }: Pick<Copy, 'searchMs'>): number {
  return searchMs === 0 ? BATCH_MAX : Math.max(1, Math.min(BATCH_MAX, Math.floor(TURN_MS / searchMs)))
}

/**
 * Notes what `count` searches together took. Dear ones count at once and are forgotten slowly, since cheap ones among
 * them would else let many dear ones into one turn.
 */
export function noteSearches(copy: Pick<Copy, 'searchMs'>, ms: number, count: number): void {
  const each = ms / count
  copy.searchMs = Math.max(each, (7 * copy.searchMs + each) / 8)
}

/** Whether nobody waits for it and it may be dropped. */
export function isIdle(copy: Copy): boolean {
  return copy.waiting.length === 0 && !copy.catchingUp
}

export function statusOf(copies: readonly Copy[], bytesMax: number): EngineStatus {
  return {
    indexes: copies.length,
    documents: copies.reduce((sum, { index }) => sum + index.documents, 0),
    passages: copies.reduce((sum, { index }) => sum + index.passages, 0),
    unreadable: copies.reduce((sum, { index }) => sum + index.unreadable, 0),
    bytes: sumOf(copies.map(({ index }) => index.size)).bytes,
    bytesMax,
    refused: 0,
  }
}

import {
  type EngineStatus,
  type IndexSource,
  type IndexVersion,
  LEFT_OUT_LISTED_MAX,
  type LeftOutDocument,
  type SearchAnswer,
  type SearchRequest,
  type ValueChange,
} from '../../engine.ts'
import { idOfChange } from '../../indexing/change-ids.ts'
import { sumOf } from '../columns/memory-size.ts'
import { BATCH_MAX } from '../query/similarity.ts'
import type { TenantIndex } from '../index/tenant-index.ts'
import { AwaitedTexts } from './awaited-texts.ts'
import { Lag } from './lag.ts'

/** A job of a replica: to answer a search, or, if `request` is null, to become up to date. */
export interface Job {
  readonly version: IndexVersion
  readonly request: SearchRequest | null
  /** Called once, with null where `request` is null. */
  readonly settle: (outcome: SearchAnswer | null | Error) => void
}

export interface WaitingJob extends Job {
  /** When the job arrived, on the host's clock. */
  readonly since: number
}

/** A tenant's replica of one index with the vectors of one model. All times are on the host's clock in milliseconds. */
export interface Replica {
  readonly key: string
  readonly version: IndexVersion
  readonly source: IndexSource
  index: TenantIndex
  waiting: WaitingJob[]
  /** Whether the waiting searches are scheduled. */
  isDue: boolean
  /**
   * Number of the change behind which whole documents are read next. Beyond `index.reached` if the last run failed
   * halfway.
   */
  cursor: number
  /** Number of the change up to which a build reads whole documents; 0 before the build begins. */
  scanTo: number
  /**
   * By id, the values that were applied since the build began; null except during a build that reads whole documents
   * from a copy of the database, which may lack them.
   */
  sinceScan: Map<string, ValueChange> | null
  /** Whether the index has all documents as of some change, so that only later changes are missing. */
  isBuilt: boolean
  /** The highest watermark of a search or a write. */
  target: number
  /** The documents in the index have the values of every change with a number up to here. */
  valuesReached: number
  /** Documents whose values have been read, and whose text has not. */
  readonly awaited: AwaitedTexts
  /** Milliseconds that reading a text has lately taken. */
  textMs: number
  /** How long the changes have waited that the index lacks. */
  readonly lag: Lag
  /** How many documents the index had to read when its build began. */
  expected: number
  catchingUp: boolean
  /** Whether the catch-up rests between two batches, so that the replica may make room as if it did not catch up. */
  isResting: boolean
  /** Start of the first catch-up, and the share of it that is done; null except while it runs. */
  building: { readonly began: number; done: number } | null
  compacting: boolean
  /**
   * Whether the index is being written to disk, as its snapshot or to be paged out. Its closed segments must not
   * change.
   */
  isWriting: boolean
  /** Number of changes since the snapshot. */
  changes: number
  /** When the last change was applied. */
  changedAt: number
  /** Whether the snapshot was read, or the host has tried to write it. */
  isSaved: boolean
  /** Whether the index is that of a snapshot, and what came after it has not been read. */
  isRestored: boolean
  /** When the snapshot was last read or tried to be written; before that, when the replica was made. */
  savedAt: number
  /** Whether the replica replaces one whose vectors had another size; then an earlier snapshot is not read. */
  isAnew: boolean
  /** When the snapshot was last marked as used. */
  touchedAt: number
  dropped: boolean
  /** Place of the last use in the order of all uses. */
  lastUsed: number
  /** When the replica was last used. */
  usedAt: number
  /** When the size was last measured. */
  measuredAt: number
  /** Milliseconds of the most expensive recent search; 0 before the first search. */
  searchMs: number
  /** Fires when a waiting search may be answered without the latest texts, or must end; null without one. */
  deadline: NodeJS.Timeout | null
  /** When the searches began to give way to other tenants' reading; null if they do not give way. */
  gaveWayAt: number | null
}

export function newReplica(key: string, version: IndexVersion, source: IndexSource, index: TenantIndex): Replica {
  const idle = { cursor: 0, catchingUp: false, isResting: false, compacting: false, isWriting: false, dropped: false }
  return {
    key,
    version,
    source,
    index,
    waiting: [],
    building: null,
    isDue: false,
    ...idle,
    scanTo: 0,
    sinceScan: null,
    isBuilt: false,
    target: 0,
    valuesReached: 0,
    awaited: new AwaitedTexts(),
    textMs: TEXT_MS,
    lag: new Lag(),
    expected: 0,
    deadline: null,
    changes: 0,
    changedAt: 0,
    isSaved: false,
    isRestored: false,
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

/** Milliseconds that reading a text is taken to need before it is measured. */
const TEXT_MS = 2
/** Fewest texts whose reading is measured: of fewer, the statement takes longer than the texts. */
const MEASURED_TEXTS = 10

/** Records how long `count` texts took to be read, beside everything else that the thread did. */
export function noteTexts(replica: Pick<Replica, 'textMs'>, ms: number, count: number): void {
  if (count >= MEASURED_TEXTS) replica.textMs = (replica.textMs + ms / count) / 2
}

/** Milliseconds for searches of one index in one turn of the event loop, before others have their turn. */
export const TURN_MS = 8

/**
 * Returns how many searches to answer together. Together they share a scan, but expensive ones must not add up.
 * @param leftMs milliseconds that remain of the turn
 */
export function batchMax({ searchMs }: Pick<Replica, 'searchMs'>, leftMs: number): number {
  return searchMs === 0 ? BATCH_MAX : Math.max(1, Math.min(BATCH_MAX, Math.floor(leftMs / searchMs)))
}

/** Tells whether each search of the replica may take a whole turn. */
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

/**
 * Applies values to the index, and notes a document that they hide: one whose former text others than before may see.
 * @returns whether the index lacks the text of the document
 */
export function applyValues({ index, awaited }: Replica, change: ValueChange): boolean {
  const id = idOfChange(change)
  const wasThere = index.seqOf(id) > 0
  const lacksText = index.applyValues(change)
  if (lacksText && wasThere && index.seqOf(id) === 0) awaited.noteHidden(id)
  return lacksText
}

/** Sets the number up to which the index has every change: its values and its texts. */
export function noteReached({ index, valuesReached, awaited, lag }: Replica): void {
  index.reached = Math.max(index.reached, Math.min(valuesReached, awaited.since - 1))
  lag.noteReached(index.reached)
}

/** Returns how many documents are not in the index with their latest text. */
export function documentsBehind({ index, isBuilt, expected, awaited }: Replica): number {
  return isBuilt ? awaited.size : Math.max(1, expected - index.documents)
}

/** Returns about how many milliseconds a build still takes; Infinity before anything is done. */
export function remainingMs({ began, done }: NonNullable<Replica['building']>, now: number): number {
  return done === 0 ? Infinity : ((now - began) * (1 - done)) / done
}

/** Tells whether no search waits for the replica and nothing reads for it now, so that it may be dropped. */
export function isIdle(replica: Replica): boolean {
  return replica.waiting.length === 0 && !isReading(replica)
}

/** Tells whether work over several turns reads or changes the segments of the replica. */
export function isAtWork(replica: Replica): boolean {
  return isReading(replica) || replica.compacting || replica.isWriting
}

function isReading({ catchingUp, isResting }: Replica): boolean {
  return catchingUp && !isResting
}

/**
 * Returns the status of some replicas together.
 * @param bytesMax bound on their memory
 * @param now time on the host's clock
 * @param areListed whether to name the documents that are left out
 */
export function statusOf(
  replicas: readonly Replica[],
  bytesMax: number,
  now: number,
  areListed: boolean,
): EngineStatus {
  return {
    indexes: replicas.length,
    documents: replicas.reduce((sum, { index }) => sum + index.documents, 0),
    passages: replicas.reduce((sum, { index }) => sum + index.passages, 0),
    unreadable: replicas.reduce((sum, { index }) => sum + index.unreadable, 0),
    ...lagOf(replicas, now),
    leftOut: replicas.reduce((sum, { index }) => sum + index.leftOut, 0),
    leftOutDocuments: areListed ? listLeftOut(replicas) : [],
    bytes: sumOf(replicas.map(({ index }) => index.size)).bytes,
    fileBytes: replicas.reduce((sum, { index }) => sum + index.fileBytes + index.pages.laidOutBytes, 0),
    pagedOut: replicas.filter(({ index }) => index.pages.pagedOutBytes > 0).length,
    bytesMax,
    refused: 0,
  }
}

function listLeftOut(replicas: readonly Replica[]): LeftOutDocument[] {
  return replicas.flatMap(({ index }) => index.newestLeftOut(LEFT_OUT_LISTED_MAX)).slice(0, LEFT_OUT_LISTED_MAX)
}

type LagStatus = Pick<EngineStatus, 'documentsBehind' | 'behind' | 'behindMs' | 'building' | 'builtPercent'>

function lagOf(replicas: readonly Replica[], now: number): LagStatus {
  // An index without any change is not built, and lacks nothing.
  const behind = replicas.filter(({ lag }) => lag.since !== null)
  const builds = replicas.flatMap(({ building }) => building ?? [])
  return {
    documentsBehind: behind.reduce((sum, replica) => sum + documentsBehind(replica), 0),
    behind: behind.length,
    behindMs: Math.max(0, ...behind.map(({ lag }) => now - lag.since!)),
    building: builds.length,
    builtPercent: Math.min(100, ...builds.map(({ done }) => Math.floor(done * 100))),
  }
}

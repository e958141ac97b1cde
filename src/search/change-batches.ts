import type { IndexChange } from './engine.ts'

/** Changes per batch: reading them blocks the thread that searches, a few milliseconds at this size. */
const BATCH = 100
/** Bytes of a batch, unless a single change has more: a hundred long texts would block for half a second. */
export const BATCH_BYTES_MAX = 1_024 * 1_024

/** Where a reading stands: behind this id of this number. */
export interface ChangePosition {
  readonly seq: number
  readonly id: string
}

/** What is known of a change before it is read. */
export interface ListedChange extends ChangePosition {
  /** What reading it takes, in bytes as they are stored. */
  readonly bytes: number
  /** Whether it says that the document is gone; then there is nothing to read. */
  readonly isTombstone: boolean
}

/** How a domain reads its changed rows and its tombstones. */
export interface ChangeReader {
  /** The first `limit` changes behind a position in each of its tables, by number and id, as of one moment. */
  list(after: ChangePosition, limit: number): Promise<readonly (readonly ListedChange[])[]>
  /** Those of the documents that have not changed again since the number `last`. */
  read(ids: readonly string[], last: number): Promise<IndexChange[]>
}

/**
 * A tenant's changes, oldest first, a bounded number of rows and bytes at a time. What a bulk write stored under one
 * number may come in several batches. Reads on until nothing is left rather than to a number: what was changed once
 * below and once above it is listed under the later number only, and a search must not miss the earlier change. Nothing
 * is left after a list that was not full, all of which was read: a search waits for two statements in most cases, each
 * of which may wait for a turn of a busy thread.
 */
export async function* changeBatches(reader: ChangeReader, after: number): AsyncGenerator<readonly IndexChange[]> {
  // No id is as great as this: what has the number `after` itself was read before.
  for (let from: ChangePosition = { seq: after, id: '\uffff' }; ;) {
    const tables = await reader.list(from, BATCH)
    // A table listed up to the limit may hold more behind its last; of all together the first are complete.
    const listed = tables.flat().sort(byPosition).slice(0, BATCH)
    if (listed.length === 0) return
    let told = 0
    for (const part of partsOf(listed)) {
      const batch = await readPart(reader, part)
      told += batch.length
      if (batch.length > 0) yield batch
    }
    // What has changed since it was listed was not read, and is listed again under its new number.
    if (listed.length < BATCH && told === listed.length) return
    from = listed.at(-1)!
  }
}

function byPosition(a: ChangePosition, b: ChangePosition): number {
  return a.seq - b.seq || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

function* partsOf(listed: readonly ListedChange[]): Generator<readonly ListedChange[]> {
  let start = 0
  let bytes = 0
  for (const [i, change] of listed.entries()) {
    bytes += change.bytes
    if (i === start || bytes <= BATCH_BYTES_MAX) continue
    yield listed.slice(start, i)
    start = i
    bytes = change.bytes
  }
  yield listed.slice(start)
}

async function readPart(reader: ChangeReader, part: readonly ListedChange[]): Promise<IndexChange[]> {
  const ids = part.filter(({ isTombstone }) => !isTombstone).map(({ id }) => id)
  const read = ids.length === 0 ? [] : await reader.read(ids, part.at(-1)!.seq)
  const gone = part.filter(({ isTombstone }) => isTombstone).map(({ seq, id }) => ({ seq, remove: id }))
  return [...read, ...gone].sort((a, b) => a.seq - b.seq)
}

import { byteParts } from './byte-parts.ts'
import type { IndexChange } from '../engine.ts'

/** Changes per batch. Reading a batch blocks the search thread, at this size for a few milliseconds. */
const BATCH = 100
/** Bytes per batch, unless one change alone has more: a hundred long texts would block the thread for half a second. */
export const BATCH_BYTES_MAX = 1_024 * 1_024

/** Position in a tenant's changes: after this id among the changes with this number. */
export interface ChangePosition {
  readonly seq: number
  readonly id: string
}

/** A listed change whose document has not been read yet. */
export interface ListedChange extends ChangePosition {
  /** Stored bytes that reading the change takes. */
  readonly bytes: number
  /** Whether the document was deleted; then there is nothing to read. */
  readonly isTombstone: boolean
}

/** How changed rows and tombstones of one kind of documents are read. */
export interface ChangeReader {
  /** The first `limit` changes after a position in each table, ordered by number and id, from one database snapshot. */
  list(after: ChangePosition, limit: number): Promise<readonly (readonly ListedChange[])[]>
  /** The documents among `ids` that have not changed again after the number `last`. */
  read(ids: readonly string[], last: number): Promise<IndexChange[]>
}

/**
 * A tenant's changes, oldest first, in batches of bounded rows and bytes. Changes that share a number may come in
 * several batches.
 *
 * Reads until nothing is left instead of up to a number: a document changed twice is listed under its later number
 * only, and a search must not miss the earlier change. If a list was not full and all of it was read, nothing is left;
 * then no further list is needed, so most searches wait for two statements only.
 */
export async function* changeBatches(reader: ChangeReader, after: number): AsyncGenerator<readonly IndexChange[]> {
  // No id is this great: the changes with the number `after` itself were read before.
  for (let from: ChangePosition = { seq: after, id: '\uffff' }; ;) {
    const tables = await reader.list(from, BATCH)
    // A full list of one table may end before the others do. The first changes of all lists together are complete.
    const listed = tables.flat().sort(byPosition).slice(0, BATCH)
    if (listed.length === 0) return
    let told = 0
    for (const part of byteParts(listed, BATCH_BYTES_MAX)) {
      const batch = await readPart(reader, part)
      told += batch.length
      if (batch.length > 0) yield batch
    }
    // Documents that changed after they were listed were not read; they are listed again under their new number.
    if (listed.length < BATCH && told === listed.length) return
    from = listed.at(-1)!
  }
}

function byPosition(a: ChangePosition, b: ChangePosition): number {
  return a.seq - b.seq || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

async function readPart(reader: ChangeReader, part: readonly ListedChange[]): Promise<IndexChange[]> {
  const ids = part.filter(({ isTombstone }) => !isTombstone).map(({ id }) => id)
  const read = ids.length === 0 ? [] : await reader.read(ids, part.at(-1)!.seq)
  const gone = part.filter(({ isTombstone }) => isTombstone).map(({ seq, id }) => ({ seq, remove: id }))
  return [...read, ...gone].sort((a, b) => a.seq - b.seq)
}

import { byteParts } from './byte-parts.ts'
import { idOfChange } from './change-ids.ts'
import type { IndexChange, ValueChange } from '../engine.ts'

/** Most changes of a batch. Reading a batch of this size blocks the search thread for a few milliseconds. */
const BATCH = 100
/**
 * Most bytes of a batch, unless one change alone has more: a hundred long texts would block the thread for half a
 * second.
 */
export const BATCH_BYTES_MAX = 1_024 * 1_024

/** Most documents whose texts are read at once, after their values. */
export const TEXT_BATCH = 100
/** Assumed bytes of a text whose size is unknown. */
export const UNKNOWN_TEXT_BYTES = 64 * 1_024
/** Most changes of values of a batch. Reading and applying one takes a few milliseconds. */
const VALUE_BATCH = 500

/** A position in a tenant's changes: behind the change with this number and this id. Changes can share a number. */
export interface ChangePosition {
  readonly seq: number
  readonly id: string
}

/** A change whose document has not been read yet. */
export interface ListedChange extends ChangePosition {
  /** Stored bytes of the document. */
  readonly bytes: number
  /** Whether the document was deleted; then there is nothing to read. */
  readonly isTombstone: boolean
}

/** Reads changed rows and tombstones of one kind of documents. */
export interface ChangeReader {
  /**
   * Returns for each table the first `limit` changes after a position, by number and id, from one database snapshot.
   */
  list(after: ChangePosition, limit: number): Promise<readonly (readonly ListedChange[])[]>
  /** Returns those documents of `ids` that have not changed again after the change with the number `last`. */
  read(ids: readonly string[], last: number): Promise<IndexChange[]>
}

/**
 * Yields a tenant's changes, oldest first, in batches of bounded rows and bytes. Changes that share a number may come
 * in several batches.
 *
 * It reads until no change is left, rather than up to a number: a document that changed twice is listed under its later
 * number only, and a search must not miss the earlier change. A list that was not full and was read completely ends the
 * changes. Then no further list is needed, so that most searches wait for two statements only.
 */
export async function* changeBatches(reader: ChangeReader, after: number): AsyncGenerator<readonly IndexChange[]> {
  // No id sorts behind this one, so the list begins after all changes with the number `after`, which were read before.
  for (let from: ChangePosition = { seq: after, id: '\uffff' }; ;) {
    const tables = await reader.list(from, BATCH)
    // A full list of one table may end before the others do. The first changes of all lists together are complete.
    const changes = tables.flat().sort(byPosition).slice(0, BATCH)
    if (changes.length === 0) return
    let count = 0
    for (const part of byteParts(changes, BATCH_BYTES_MAX)) {
      const batch = await readPart(reader, part)
      count += batch.length
      if (batch.length > 0) yield batch
    }
    // A document that changed after it was listed was not read. The next list has it under its new number.
    if (changes.length < BATCH && count === changes.length) return
    from = changes.at(-1)!
  }
}

/** Yields the batches that `list` returns, from a number on, until one is not full. */
export async function* valueBatches(
  list: (after: ChangePosition, limit: number) => Promise<readonly ValueChange[]>,
  after: number,
): AsyncGenerator<readonly ValueChange[]> {
  for (let from: ChangePosition = { seq: after, id: '\uffff' }; ;) {
    const batch = await list(from, VALUE_BATCH)
    if (batch.length > 0) yield batch
    if (batch.length < VALUE_BATCH) return
    const last = batch.at(-1)!
    from = { seq: last.seq, id: idOfChange(last) }
  }
}

function byPosition(a: ChangePosition, b: ChangePosition): number {
  return a.seq - b.seq || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
}

async function readPart(reader: ChangeReader, part: readonly ListedChange[]): Promise<IndexChange[]> {
  const ids = part.filter(({ isTombstone }) => !isTombstone).map(({ id }) => id)
  const puts = ids.length === 0 ? [] : await reader.read(ids, part.at(-1)!.seq)
  const removals = part.filter(({ isTombstone }) => isTombstone).map(({ seq, id }) => ({ seq, remove: id }))
  return [...puts, ...removals].sort((a, b) => a.seq - b.seq)
}

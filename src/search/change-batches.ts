import type { IndexChange } from './engine.ts'

/** Changes per batch: reading them blocks the thread that searches, a few milliseconds at this size. */
const BATCH = 100

/** How a domain reads its changed rows and its tombstones. */
export interface ChangeReader {
  /** The first `limit` numbers above `from` in each of its tables, ascending. */
  numbers(from: number, limit: number): Promise<readonly (readonly number[])[]>
  /** Every change numbered above `from` and up to `last`. */
  read(from: number, last: number): Promise<IndexChange[]>
}

/**
 * A tenant's changes, oldest first, as many as complete numbers fit a batch: a bulk write shares one number, and
 * half of it must not look like all of it. Reads on until nothing is left rather than to a number: what was changed
 * once below and once above it is listed under the later number only, and a search must not miss the earlier change.
 */
export async function* changeBatches(reader: ChangeReader, after: number): AsyncGenerator<readonly IndexChange[]> {
  for (let from = after; ;) {
    const numbers = (await reader.numbers(from, BATCH)).flat().sort((a, b) => a - b)
    if (numbers.length === 0) return
    const last = numbers[Math.min(numbers.length, BATCH) - 1]
    const batch = await reader.read(from, last)
    batch.sort((a, b) => a.seq - b.seq)
    if (batch.length > 0) yield batch
    from = last
  }
}

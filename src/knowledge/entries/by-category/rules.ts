import type { Caller } from '../../../platform/access/caller.ts'
import { faultsOf } from '../../../platform/contract/all-faults.ts'
import { idIn, isUnchecked } from '../../../platform/contract/unchecked.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { pageOf } from '../../../platform/database/page.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { conflict, type Fault } from '../../../platform/faults.ts'
import { pauseOf, threadSlices } from '../../../platform/threads/slices.ts'
import { dissolveCategory, type MergeReading, requireMergeable } from '../../categories/merge-rules.ts'
import { countByCategory, countEntries, findMatching, hasHiddenEntries } from '../lists/list-store.ts'
import { entryBytes, findEntries } from '../store.ts'
import { type EntryRulesOptions, EntryWriter, type WritePosition } from '../writes/write.ts'
import type { CategoryEntryCount, CategoryMerge, CategoryMerged } from './contract.ts'

/** Most entries that one call moves. */
const MOVED_MAX = 500
/** Entries and bytes of text that are changed at a time. */
const STEP = { entries: 50, bytes: 1_024 * 1_024 }

/** What the entries of a category have in common: how many there are, and where they go when it is merged. */
export class EntriesByCategory {
  readonly #writer: EntryWriter

  constructor(options: EntryRulesOptions) {
    this.#writer = new EntryWriter(options)
  }

  /** Entries that the caller may see, by their category. Categories without any are left out. */
  async count(caller: Caller): Promise<CategoryEntryCount[]> {
    const counts = await countByCategory(this.#writer.database, caller, { notExpiredAt: Date.now() })
    return Array.from(counts, ([category_id, entries]) => ({ category_id, entries }))
  }

  /** Faults of the body of a merge besides its shape. @param id of the category that goes, unchecked */
  faultsOfMerge(caller: Caller, id: unknown, body: unknown): Promise<Fault[]> {
    const [from, into] = [idIn(id), isUnchecked(body) ? idIn(body.into_id) : null]
    if (from === null || into === null) return Promise.resolve([])
    return faultsOf([() => requireMergeable(this.#outside(caller), caller, from, into)])
  }

  /**
   * Moves up to 500 entries of a category into another. The call that moves the last one also moves the categories
   * below, and deletes the category.
   * @throws Fault not_found, invalid, or conflict when the category has entries that the caller may not see
   */
  async merge(caller: Caller, id: string, { into_id: intoId }: CategoryMerge): Promise<CategoryMerged> {
    const { database } = this.#writer
    await requireMergeable(this.#outside(caller), caller, id, intoId)
    if (await hasHiddenEntries(database, caller, id))
      throw conflict(['path', 'category_id'], 'The category has entries that you may not see')
    const filters = { categoryId: id, notExpiredAt: null }
    const total = await countEntries(database, caller, filters)
    const found = await findMatching(database, caller, filters, MOVED_MAX)
    return this.#writer.write(caller, async (tx) => {
      const position = await advanceWatermark(tx, caller.tenant.id)
      const { portable } = database
      await requireMergeable({ queries: tx, portable, pause: threadSlices.pauseHolding }, caller, id, intoId)
      const moved = await this.#move(tx, caller, found, { id, intoId }, position)
      const left = Math.max(0, total - found.length)
      const dissolved = left > 0 ? null : await dissolveCategory(tx, caller, id, intoId)
      return {
        moved_entries: moved,
        moved_categories: dissolved ?? 0,
        // What came meanwhile has not been counted.
        remaining_entries: dissolved === null ? Math.max(1, left) : 0,
        merged: dissolved !== null,
      }
    })
  }

  /** Reads outside of transactions, where others get their turns. */
  #outside({ tenant }: Caller): MergeReading {
    const { queries, portable } = this.#writer.database
    return { queries, portable, pause: pauseOf(tenant.id) }
  }

  /** @returns how many were still in the category and have moved */
  async #move(
    tx: Tx,
    caller: Caller,
    found: readonly { readonly id: string; readonly seq: number }[],
    { id, intoId }: { readonly id: string; readonly intoId: string },
    position: WritePosition,
  ): Promise<number> {
    const { id: tenantId } = caller.tenant
    const numbers = new Map(found.map((each) => [each.id, each.seq]))
    const bytes = await entryBytes(tx, tenantId, [...numbers.keys()])
    let left = found.map((each) => ({ id: each.id, bytes: bytes.get(each.id) ?? 0 }))
    let moved = 0
    while (left.length > 0) {
      const step = pageOf(left, STEP.entries, STEP.bytes).map((each) => each.id)
      left = left.slice(step.length)
      for (const row of await findEntries(tx, tenantId, step)) {
        // Somebody may have changed it since: it may be somewhere else, or above the caller's ceiling.
        if (row.seq !== numbers.get(row.id) || row.category_id !== id) continue
        await this.#writer.change(tx, caller, row, { category_id: intoId }, position)
        moved += 1
      }
      const waiting = threadSlices.pauseHolding()
      if (waiting !== undefined) await waiting
    }
    return moved
  }
}

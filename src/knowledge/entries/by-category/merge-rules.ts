import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { pageOf } from '../../../platform/database/page.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import type { CategoryRules } from '../../categories/rules.ts'
import { guardOf } from '../entry.ts'
import * as store from '../store.ts'
import type { EntryWriter } from '../writes/write.ts'
import { idsInCategory } from './category-store.ts'
import type { CategoryMerged } from './contract.ts'

/** Entries that one call moves. It is one transaction, for which other writers of the tenant wait. */
const ENTRIES_MAX = 500
/** Entries and bytes of their text that are read and written at a time. */
const STEP = { entries: 50, bytes: 1_024 * 1_024 }

/** Merges one category into another. */
export class CategoryMergeRules {
  readonly #writer: EntryWriter
  readonly #categories: Pick<CategoryRules, 'requireMerge' | 'finishMerge'>

  constructor(writer: EntryWriter, categories: Pick<CategoryRules, 'requireMerge' | 'finishMerge'>) {
    this.#writer = writer
    this.#categories = categories
  }

  /**
   * Moves the entries of a category into another one, also those that the caller may not see, because only an empty
   * category can be deleted. The call that moves the last entries also moves the categories below, and deletes the
   * category.
   * @throws Fault like `CategoryRules.requireMerge`
   */
  async merge(caller: Caller, fromId: string, intoId: string): Promise<CategoryMerged> {
    const { id: tenantId } = caller.tenant
    const { portable } = this.#writer.database
    return this.#writer.write(caller, async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      await this.#categories.requireMerge(tx, caller, fromId, intoId)
      const ids = await idsInCategory(tx, tenantId, fromId, ENTRIES_MAX + 1)
      const bytes = await store.entryBytes(tx, tenantId, ids)
      let left = ids.slice(0, ENTRIES_MAX).map((id) => ({ id, bytes: bytes.get(id) ?? 0 }))
      // A caller who may not read learns of no entries.
      const mayRead = caller.scopes.has('knowledge:read')
      let moved = 0
      while (left.length > 0) {
        const step = pageOf(left, STEP.entries, STEP.bytes).map(({ id }) => id)
        left = left.slice(step.length)
        for (const row of await store.findEntries(tx, tenantId, step)) {
          await this.#writer.recategorise(tx, portable, caller, row, intoId, seq)
          if (mayRead && maySee(caller, guardOf(row))) moved += 1
        }
        const waiting = threadSlices.pauseHolding()
        if (waiting !== undefined) await waiting
      }
      const isDone = ids.length <= ENTRIES_MAX
      if (isDone) await this.#categories.finishMerge(tx, caller, fromId, intoId)
      return { moved_entries: moved, done: isDone }
    })
  }
}

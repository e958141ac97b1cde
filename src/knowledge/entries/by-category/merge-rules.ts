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

/** Entries that one call moves, which is one transaction: others of the tenant wait for it. */
const ENTRIES_MAX = 500
/** Entries and bytes of text that are moved at a time. */
const STEP = { entries: 50, bytes: 1_024 * 1_024 }

/** Puts two categories together. */
export class CategoryMergeRules {
  readonly #writer: EntryWriter
  readonly #categories: Pick<CategoryRules, 'requireMerge' | 'finishMerge'>

  constructor(writer: EntryWriter, categories: Pick<CategoryRules, 'requireMerge' | 'finishMerge'>) {
    this.#writer = writer
    this.#categories = categories
  }

  /**
   * Moves the entries of a category into another one, also those that the caller may not see, as a category cannot go
   * without them. The call that moves the last also moves the categories below, and deletes the category.
   * @throws Fault not_found; invalid for a category that does not exist, is the same or lies below
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
      // Whoever may not read is told of none.
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

import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import type { CategoryRules } from '../../categories/rules.ts'
import { countByCategory } from '../lists/list-store.ts'
import type { CategoryCount } from './contract.ts'

/** Most levels that a count goes up. Categories have at most 64 levels; those of earlier releases may have more. */
const LEVELS_MAX = 200

/** Counts the entries of each category. */
export class CategoryCountRules {
  readonly #database: Database
  readonly #categories: Pick<CategoryRules, 'parents'>

  constructor(database: Database, categories: Pick<CategoryRules, 'parents'>) {
    this.#database = database
    this.#categories = categories
  }

  /**
   * Counts the entries that a list would show the caller, by category and by subtree. Categories without such entries
   * are left out.
   */
  async counts(caller: Caller): Promise<CategoryCount[]> {
    const own = await countByCategory(this.#database, caller, { notExpiredAt: Date.now() })
    const parents = await this.#categories.parents(caller)
    const within = new Map<string, number>()
    for (const [category, count] of own) {
      let at: string | null | undefined = category
      // When another request moves categories meanwhile, their parents may look like a circle.
      for (let level = 0; at !== null && at !== undefined && level < LEVELS_MAX; level++) {
        within.set(at, (within.get(at) ?? 0) + count)
        at = parents.get(at)
      }
      const waiting = threadSlices.pause(caller.tenant.id)
      if (waiting !== undefined) await waiting
    }
    return [...within].map(([id, count]) => ({
      category_id: id,
      entries: own.get(id) ?? 0,
      entries_in_subtree: count,
    }))
  }
}

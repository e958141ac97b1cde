import { visibleTitles } from '../../knowledge/entries/visibility/visible-titles.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { Queries } from '../../platform/database/database.ts'
import { productTitles } from '../../shop/products/rules.ts'
import type { SectionName } from '../laboratory/contract.ts'

/** A judgment in the database. */
export interface StoredJudgment {
  readonly id: string
  readonly grade: number
}

/** Ids in one look-up: databases bound the parameters of a statement. */
const IDS_MAX = 500

/** Returns the titles, by id, of entries or products that the caller may see. Private notes are never judged. */
export async function judgedTitles(
  db: Queries,
  caller: Caller,
  section: SectionName,
  ids: Iterable<string>,
): Promise<Map<string, string>> {
  const all = [...new Set(ids)]
  const titles = new Map<string, string>()
  for (let i = 0; i < all.length; i += IDS_MAX) {
    const some = all.slice(i, i + IDS_MAX)
    const someTitles =
      section === 'knowledge' ? await visibleTitles(db, caller, some) : await productTitles(db, caller.tenant.id, some)
    for (const [id, title] of someTitles) titles.set(id, title)
  }
  return titles
}

export function parseJudgments(json: string): StoredJudgment[] {
  return JSON.parse(json) as StoredJudgment[]
}

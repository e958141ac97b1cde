import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { SearchEngine } from '../../../search/engine.ts'
import { newRequest } from '../../../search/new-request.ts'
import { searchedSite } from '../../sites/rules.ts'
import { PRODUCT_INDEX } from '../indexing/index-source.ts'
import type { Suggestions } from './search-contract.ts'
import { siteFilter, variantPolicy } from './search-filter.ts'
import { findSuggested } from '../store.ts'
import { completionsOf, namesFor } from './suggest-completions.ts'

/** Products whose titles completions are read from. */
const TITLES_MAX = 40
/** Brands and categories of the products found that are compared with the typed text. */
const NAMES_MAX = 200

export class SuggestRules {
  readonly #database: Database
  readonly #engine: SearchEngine

  constructor({ database, engine }: { database: Database; engine: SearchEngine }) {
    this.#database = database
    this.#engine = engine
  }

  /**
   * Suggestions for a typed text, from one keyword search whose last word may be unfinished.
   * @param site id or slug; null for all sites
   * @param limit length of each list
   */
  async suggest(caller: Caller, typed: string, site: string | null, limit: number): Promise<Suggestions> {
    const { queries } = this.#database
    const siteId = await searchedSite(queries, caller, site, 'query')
    const { id: tenantId, settings } = caller.tenant
    const variants = variantPolicy(settings.variantStrategy)
    const { hits, facets } = await this.#engine.search({
      ...newRequest(caller, PRODUCT_INDEX, siteFilter(siteId)),
      mode: 'keyword',
      query: typed,
      filter: variants.filter,
      limit: TITLES_MAX,
      groups: variants.groups,
      fuzzy: true,
      prefixLast: true,
      facets: { keys: ['brand', 'category'].map((field) => ({ field, limit: NAMES_MAX })), numbers: [] },
    })
    const ids = hits.map((hit) => hit.id)
    const byId = new Map((await findSuggested(queries, tenantId, ids)).map((row) => [row.id, row]))
    const rows = ids.flatMap((id) => byId.get(id) ?? [])
    const [brands, categories] = facets!.keys.map(({ values }) => namesFor(typed, values).slice(0, limit))
    const titles = rows.map((row) => row.title)
    return { completions: completionsOf(typed, titles, limit), brands, categories, products: rows.slice(0, limit) }
  }
}

import type { Caller } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import type { EntrySuggestRules } from '../../knowledge/entries/search/suggest-rules.ts'
import { completionsOf } from '../../search/suggest/completions.ts'
import type { ProductSuggestRules } from '../../shop/products/search/suggest-rules.ts'
import { searchedSite } from '../../shop/sites/rules.ts'
import { sectionsFor } from '../combined-search/rules.ts'
import type { SuggestQuery, Suggestions } from './contract.ts'

/** Suggests for one search box over products, entries or both. */
export class SuggestRules {
  readonly #database: Database
  readonly #entries: EntrySuggestRules
  readonly #products: ProductSuggestRules

  constructor(parts: { database: Database; entries: EntrySuggestRules; products: ProductSuggestRules }) {
    this.#database = parts.database
    this.#entries = parts.entries
    this.#products = parts.products
  }

  /**
   * Suggests for the text typed so far.
   * @throws Fault forbidden when a section needs a scope that the caller lacks
   * @throws Fault invalid at `query.site_id` when there is no such site
   */
  async suggest(caller: Caller, { q, section, site_id, limit = 5 }: SuggestQuery): Promise<Suggestions> {
    // The route suggested products before it had sections, so products are the default where the caller may read them.
    const usual = caller.scopes.has('products:read') ? (['products'] as const) : undefined
    const names = sectionsFor(caller, section ?? usual, ['query', 'section'])
    const siteId = await searchedSite(this.#database.queries, caller, site_id ?? null, 'query')
    const [shop, knowledge] = await Promise.all([
      names.includes('products') ? this.#products.suggest(caller, q, siteId, limit) : null,
      names.includes('knowledge') ? this.#entries.suggest(caller, q, siteId) : null,
    ])
    const completions = completionsOf(
      q,
      [shop, knowledge].filter((each) => each !== null),
      limit,
    )
    return {
      completions,
      brands: [...(shop?.brands ?? [])],
      categories: [...(shop?.categories ?? [])],
      products: (shop?.products ?? []).slice(0, limit),
      ...(knowledge === null ? {} : { entries: knowledge.entries.slice(0, limit) as Suggestions['entries'] }),
    }
  }
}

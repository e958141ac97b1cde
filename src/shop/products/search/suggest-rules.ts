import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { TitleSource } from '../../../search/suggest/completions.ts'
import type { EngineForRequests } from '../../../search/engine.ts'
import { wordsOfName } from '../../../search/analysis/name-words.ts'
import { newRequest } from '../../../search/request/new-request.ts'
import { TitleSuggester } from '../../../search/suggest/title-suggester.ts'
import { applyingRules, notHidden } from '../merchandising/compile.ts'
import { notHiddenOnSites } from '../merchandising/hidden-on-sites.ts'
import type { MerchandisingInForce } from '../merchandising/in-force.ts'
import { PRODUCT_INDEX } from '../indexing/index-source.ts'
import { findSuggested, type SuggestedProduct } from '../store.ts'
import { siteFilter, variantPolicy } from './search-filter.ts'

/** Brand or category, with the number of matching products that have it. */
interface SuggestedName {
  readonly value: string
  readonly count: number
}

interface ProductSuggestions extends TitleSource {
  readonly products: readonly SuggestedProduct[]
  readonly brands: readonly SuggestedName[]
  readonly categories: readonly SuggestedName[]
}

export class ProductSuggestRules {
  readonly #database: Database
  readonly #engine: EngineForRequests
  readonly #suggester: TitleSuggester<SuggestedProduct>
  readonly #merchandising: MerchandisingInForce

  constructor(parts: { database: Database; engine: EngineForRequests; merchandising: MerchandisingInForce }) {
    const { database, engine, merchandising } = parts
    this.#database = database
    this.#engine = engine
    this.#merchandising = merchandising
    this.#suggester = new TitleSuggester(engine)
  }

  /**
   * Suggests products whose titles continue a typed text, best first, and those of their brands and categories that
   * continue it too.
   * @param siteId suggests only products of this site; null for all sites
   * @param limit most brands, and most categories
   */
  async suggest(caller: Caller, typed: string, siteId: string | null, limit: number): Promise<ProductSuggestions> {
    const { id: tenantId, settings } = caller.tenant
    this.#engine.requireRoom(tenantId, PRODUCT_INDEX.name, settings.searchEngine)
    const { variantStrategy } = settings
    const variants = variantPolicy(variantStrategy)
    const inForce = await this.#merchandising.of(caller.tenant, siteId)
    const nowMs = Date.now()
    const ruleInput = { query: typed, category: null, under: null, brand: null, nowMs, variantStrategy }
    const notHiddenFilter = notHidden(inForce === null ? [] : applyingRules(inForce.rules, ruleInput), nowMs)
    const onSites = await notHiddenOnSites(this.#merchandising, caller, siteId, ruleInput, 'query')
    const beginning = wordsOfName(typed)
    const { rows, facets, ...source } = await this.#suggester.find(
      {
        ...newRequest(caller, PRODUCT_INDEX, { all: [siteFilter(siteId), notHiddenFilter, onSites] }),
        query: typed,
        filter: variants.filter,
        groups: variants.groups,
        facets: { keys: ['brand', 'category'].map((field) => ({ field, limit, beginning })), numbers: [] },
      },
      (ids) => findSuggested(this.#database.queries, tenantId, ids),
    )
    const [brands, categories] = facets!.keys.map(({ values }) => values)
    return { ...source, products: rows, brands, categories }
  }
}

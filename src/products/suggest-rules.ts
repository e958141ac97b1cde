import { sql } from 'kysely'
import type { Caller } from '../access/caller.ts'
import type { Database } from '../database/database.ts'
import { referenceNotFound } from '../faults.ts'
import type { SearchEngine } from '../search/engine.ts'
import { findSiteNamed } from '../sites/store.ts'
import { PRODUCT_INDEX } from './index-source.ts'
import type { Suggestions } from './search-contract.ts'
import { siteFilter, variantPolicy } from './search-filter.ts'
import { completionsOf, namesFor } from './suggest-completions.ts'

/** Products whose titles completions are read from. */
const TITLES_MAX = 40
/** Brands and categories of the found products that are looked through for names like what was typed. */
const NAMES_MAX = 200

/** Of a title and of an address: whatever is longer is nothing that a list under a search field could show. */
const SHOWN_BYTES_MAX = 2_000

export class SuggestRules {
  readonly #database: Database
  readonly #engine: SearchEngine

  constructor({ database, engine }: { database: Database; engine: SearchEngine }) {
    this.#database = database
    this.#engine = engine
  }

  /**
   * What somebody may be about to type: one keyword search whose last word may be unfinished.
   * @param site id or slug; null for all sites
   * @param limit length of each list
   */
  async suggest(caller: Caller, typed: string, site: string | null, limit: number): Promise<Suggestions> {
    const siteId = await this.#siteId(caller, site)
    const { id: tenantId, embeddingModel: model, watermark, settings } = caller.tenant
    const variants = variantPolicy(settings.variantStrategy)
    const { hits, facets } = await this.#engine.search({
      version: { tenantId, index: PRODUCT_INDEX.name, model, watermark },
      mode: 'keyword',
      query: typed,
      vector: null,
      visible: siteFilter(siteId),
      filter: variants.filter,
      offset: 0,
      limit: TITLES_MAX,
      minSimilarity: null,
      vectorWeight: 0,
      groups: variants.groups,
      explain: false,
      fuzzy: true,
      prefixLast: true,
      facets: { keys: ['brand', 'category'].map((field) => ({ field, limit: NAMES_MAX })), numbers: [] },
    })
    const rows = await this.#rows(
      tenantId,
      hits.map((hit) => hit.id),
    )
    const [brands, categories] = facets!.keys.map(({ values }) => namesFor(typed, values).slice(0, limit))
    const titles = rows.map((row) => row.title)
    return { completions: completionsOf(typed, titles, limit), brands, categories, products: rows.slice(0, limit) }
  }

  async #siteId(caller: Caller, site: string | null): Promise<string | null> {
    if (site === null) return null
    const found = await findSiteNamed(this.#database.queries, caller.tenant.id, site)
    if (found === null) throw referenceNotFound(['query', 'site_id'], 'Site')
    return found.id
  }

  /**
   * In the order of `ids`, without what is gone meanwhile and what has an overlong title. Lengths are looked at
   * before anything is read, since titles and addresses have no limit of their own.
   */
  async #rows(tenantId: string, ids: readonly string[]) {
    if (ids.length === 0) return []
    const rows = await this.#database.queries
      .selectFrom('products')
      .select(['id', 'title', 'brand', shortOnly('image_url'), shortOnly('product_url')])
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', [...ids])
      .where(sql<boolean>`octet_length(title) <= ${sql.lit(SHOWN_BYTES_MAX)}`)
      .where('retired_at', 'is', null)
      .execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }
}

function shortOnly<const C extends 'image_url' | 'product_url'>(column: C) {
  const address = sql.ref(column)
  return sql<string | null>`case when octet_length(${address}) <= ${sql.lit(SHOWN_BYTES_MAX)} then ${address} end`.as(
    column,
  )
}

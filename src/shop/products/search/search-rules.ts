import type { Caller } from '../../../platform/access/caller.ts'
import { boostsFor } from '../../../insights/learning/boosts.ts'
import type { ClickBoost } from '../../../insights/learning/learning.ts'
import { queryKeyOf } from '../../../insights/search-log/query-key.ts'
import type { SearchLog } from '../../../insights/search-log/search-log.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { notFound } from '../../../platform/faults.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import { ListOf } from '../../../platform/contract/schema.ts'
import { pageSlots } from '../../../platform/threads/page-slots.ts'
import type { Filter, SearchAnswer, SearchEngine, SearchRequest } from '../../../search/engine.ts'
import { findAnchor } from '../../../search/anchor.ts'
import { didYouMean } from '../../../search/did-you-mean.ts'
import { HitCache } from '../../../search/hit-cache.ts'
import { newRequest } from '../../../search/new-request.ts'
import { embedQuery } from '../../../search/query-vector.ts'
import { ratedBy } from '../../../search/rated.ts'
import { SearchClock } from '../../../search/search-clock.ts'
import type { SearchFacts } from '../../../search/search-facts.ts'
import { requireSiteNamed } from '../../sites/rules.ts'
import type { Product } from '../contract.ts'
import { writeAnswer, writeHits } from './hit-json.ts'
import { normalIdentifier } from './identifiers.ts'
import { PRODUCT_EMBEDDING } from '../indexing/product-embedding.ts'
import { PRODUCT_INDEX } from '../indexing/index-source.ts'
import { productOf } from '../product.ts'
import { type ProductFacets, ProductHit, type ProductSearch } from './search-contract.ts'
import { facetRequest, productFacets } from './search-facets.ts'
import { productFilter, siteFilter, variantPolicy } from './search-filter.ts'
import { presentHits, readHits } from './search-hits.ts'
import * as store from '../store.ts'

/**
 * Similarity from which a product that holds no word of the query counts as found. Measured with
 * bench/quality.ts: see docs/maintainers/search-quality.md.
 */
const SIMILARITY_WITHOUT_MATCH = 0.45
/**
 * Products with all words of the query come first, and alone if there are enough. The others must have most of the
 * words' weight. Measured like the similarity above.
 */
const ALL_WORDS = { enough: 10, shareMin: 0.5, bonus: 1 }
/** More than words and clicks can add to a score. Twice the weight of meaning is added, for the share of meaning. */
const EXACT_BONUS = 4 + ALL_WORDS.bonus
/** Products in whose titles the right spelling of a misspelt word is looked for. */
const MEANT_MAX = 5
/** Size of the cache of written products, for all tenants together. */
const CACHE_BYTES_MAX = 64 * 1_024 * 1_024

/** The answer of a search besides its hits. */
export interface ProductSearchFacts extends SearchFacts {
  readonly total: number
  readonly facets: ProductFacets | null
  /** What the query was meant to say, if nothing was found and the caller asks for relevance; else null. */
  readonly meant: string | null
}

interface ProductSearchResult extends ProductSearchFacts {
  readonly hits: ProductHit[]
}

/** The answer of the engine, and what was searched for. */
interface Found {
  readonly answer: SearchAnswer
  readonly meant: string | null
  readonly boosts: ReadonlyMap<string, ClickBoost>
  readonly siteId: string | null
  readonly mode: SearchRequest['mode']
  readonly query: string
  readonly visitorId?: string
  readonly offset: number
  readonly degraded: boolean
  readonly clock: SearchClock
}

const writeExplained = compileSerialiser(ListOf(ProductHit))

interface SearchParts {
  readonly database: Database
  readonly engine: SearchEngine
  readonly embedders: EmbedderPool
  readonly log: Pick<SearchLog, 'record'>
}

export class ProductSearchRules {
  readonly #database: Database
  readonly #engine: SearchEngine
  readonly #embedders: EmbedderPool
  readonly #log: Pick<SearchLog, 'record'>
  readonly #cache = new HitCache(CACHE_BYTES_MAX)

  constructor({ database, engine, embedders, log }: SearchParts) {
    this.#database = database
    this.#engine = engine
    this.#embedders = embedders
    this.#log = log
  }

  /**
   * Searches products by words, by meaning or by both. Exact hits on an identifier come first. A misspelt word also
   * finds the nearest words.
   * @param logId id of the combined search, if this search is a section of one
   */
  async search(caller: Caller, input: ProductSearch, logId?: string): Promise<ProductSearchResult> {
    const found = await this.#find(caller, input)
    const { answer, boosts, offset } = found
    const shown = await this.#read(caller, answer)
    const hits = presentHits(shown, offset, caller, boosts)
    const ids = hits.map((hit) => hit.product.id)
    return { hits, ...this.#record(caller, found, ids, logId) }
  }

  /** The same search, written as the body of an answer. */
  async searchJson(caller: Caller, input: ProductSearch): Promise<ProductSearchFacts & { readonly json: Buffer }> {
    if (input.explain) {
      const { hits, ...facts } = await this.search(caller, input)
      return { ...facts, json: writeAnswer(facts, Buffer.from(writeExplained(hits).slice(1, -1))) }
    }
    const found = await this.#find(caller, input)
    const { answer, offset } = found
    const how = { asParents: asParents(caller), offset }
    const { ids, json } = await pageSlots.run(caller.tenant.id, () =>
      writeHits(this.#database.queries, this.#cache, caller, answer.hits, how),
    )
    const facts = this.#record(caller, found, ids)
    return { ...facts, json: writeAnswer(facts, json) }
  }

  async #find(caller: Caller, input: ProductSearch): Promise<Found> {
    this.#engine.requireRoom(caller.tenant.id, PRODUCT_INDEX.name)
    const clock = new SearchClock()
    const nowMs = Date.now()
    const query = input.query?.trim() ?? ''
    // An empty query finds everything that passes the filters, last changed first.
    const mode = query === '' ? 'hybrid' : (input.mode ?? 'hybrid')
    const siteId = await this.#siteId(caller, input.site_id ?? null)
    const [{ vector, degraded }, boosts] = await Promise.all([
      query === '' || mode === 'keyword'
        ? { vector: null, degraded: false }
        : embedQuery(this.#embedders, caller.tenant.embeddingModel, query, mode),
      this.#boosts(caller, siteId, query, mode),
    ])
    clock.embedded()
    const offset = input.offset ?? 0
    const request = requestOf(caller, siteId, productFilter(input, nowMs))
    const answer = await this.#engine.search({
      ...request,
      ...rankingOf(caller, query, mode, boosts),
      ...(query === '' ? {} : ratedBy(input)),
      mode,
      query,
      vector,
      offset,
      limit: input.limit ?? 10,
      explain: input.explain ?? false,
      ...(input.facets === false ? {} : { facets: facetRequest(nowMs) }),
    })
    const isMissed = answer.total === 0 && query !== '' && ratedBy(input).rated !== undefined
    const meant = isMissed ? await this.#meant(request, query) : null
    clock.answered()
    const asked = { siteId, mode, query, visitorId: input.visitor_id, offset }
    return { ...asked, answer, meant, boosts, degraded, clock }
  }

  /** Logs a search. @param shown ids of the products on its page */
  #record(caller: Caller, found: Found, shown: readonly string[], logId?: string): ProductSearchFacts {
    const { answer, meant, siteId, mode, query, visitorId, offset, degraded, clock } = found
    const { timing, durationMs } = clock.read(answer)
    const recordedId = this.#log.record({
      caller,
      section: 'products',
      siteId,
      mode,
      query,
      offset,
      hits: answer.total,
      shown,
      durationMs,
      visitorId,
      ...(logId === undefined ? {} : { id: logId }),
    })
    return {
      total: answer.total,
      facets: answer.facets === undefined ? null : productFacets(answer.facets),
      meant,
      logId: recordedId,
      degraded,
      timing,
    }
  }

  /** The query in the words of titles that have nearly all of it; null when they say nothing better. */
  async #meant(request: SearchRequest, query: string): Promise<string | null> {
    const nearest = { mode: 'keyword', query, fuzzy: true, explain: true, limit: MEANT_MAX } as const
    const { hits } = await this.#engine.search({ ...request, ...nearest })
    const ids = hits.map((hit) => hit.id)
    const rows = await store.findSuggested(this.#database.queries, request.version.tenantId, ids)
    const titles = new Map(rows.map(({ id, title }) => [id, title]))
    return didYouMean(query, hits, (id) => titles.get(id))
  }

  /** Products of the same site nearest to the similarity text of one, else in meaning. Leaves out its family. */
  async similar(caller: Caller, id: string, limit: number): Promise<{ product: Product; similarity: number }[]> {
    const row = await store.findProduct(this.#database.queries, caller.tenant.id, id)
    if (row === null) throw notFound(['path', 'product_id'], 'Product')
    const vector = await findAnchor(this.#database.queries, PRODUCT_EMBEDDING, row, caller.tenant.embeddingModel)
    if (vector === null) return []
    const filter: Filter = { not: { field: 'family', anyOf: [row.parent_product_id ?? row.id] } }
    const request = requestOf(caller, row.site_id, filter)
    const answer = await this.#engine.search({ ...request, mode: 'semantic', vector, limit })
    const shown = await this.#read(caller, answer)
    return shown.map((each) => ({ product: productOf(each.shown), similarity: each.hit.similarity }))
  }

  #read(caller: Caller, { hits }: SearchAnswer): ReturnType<typeof readHits> {
    const { tenant } = caller
    return pageSlots.run(tenant.id, () => readHits(this.#database.queries, tenant.id, hits, asParents(caller)))
  }

  /** @throws Fault invalid at `body.site_id` when there is no such site */
  async #siteId(caller: Caller, idOrSlug: string | null): Promise<string | null> {
    if (idOrSlug === null) return null
    return (await requireSiteNamed(this.#database.queries, caller.tenant.id, idOrSlug, 'body')).id
  }

  /** Boosts learnt from clicks; none for semantic search, which compares meaning alone. */
  #boosts(
    caller: Caller,
    siteId: string | null,
    query: string,
    mode: SearchRequest['mode'],
  ): Promise<ReadonlyMap<string, ClickBoost>> | ReadonlyMap<string, ClickBoost> {
    if (mode === 'semantic' || query === '') return new Map()
    return boostsFor(this.#database, caller.tenant, siteId, queryKeyOf(query, caller.tenant.settings.language))
  }
}

function requestOf(caller: Caller, siteId: string | null, filter: Filter): SearchRequest {
  const { variantStrategy, productVectorWeight: vectorWeight } = caller.tenant.settings
  const variants = variantPolicy(variantStrategy)
  return {
    ...newRequest(caller, PRODUCT_INDEX, siteFilter(siteId)),
    filter: { all: [filter, variants.filter] },
    vectorWeight,
    groups: variants.groups,
  }
}

/** Whether the parent is shown in place of a variant. */
function asParents({ tenant }: Caller): boolean {
  return tenant.settings.variantStrategy === 'parents_only'
}

/** What ranks and filters products besides words and meaning. Semantic search ranks by the similarity alone. */
function rankingOf(
  caller: Caller,
  query: string,
  mode: SearchRequest['mode'],
  boosts: ReadonlyMap<string, ClickBoost>,
): Pick<SearchRequest, 'allWords' | 'fuzzy' | 'pin' | 'boosts' | 'relevance'> {
  if (query === '') return {}
  // Words do not rank by meaning, but they count in the relevance.
  if (mode === 'semantic') return { fuzzy: true }
  const identifier = normalIdentifier(query)
  const bonus = EXACT_BONUS + 2 * caller.tenant.settings.productVectorWeight
  return {
    fuzzy: true,
    allWords: ALL_WORDS,
    ...(identifier === '' ? {} : { pin: { filter: { field: 'identifier', anyOf: [identifier] }, bonus } }),
    ...(boosts.size === 0 ? {} : { boosts: Array.from(boosts, ([id, { boost }]) => ({ id, boost })) }),
    ...(mode === 'hybrid' ? { relevance: { minSimilarityWithoutMatch: SIMILARITY_WITHOUT_MATCH } } : {}),
  }
}

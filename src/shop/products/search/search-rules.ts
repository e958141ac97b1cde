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
import type { Filter, SearchAnswer, EngineForRequests, SearchRequest } from '../../../search/engine.ts'
import type { Facet } from '../../../search/request/contract.ts'
import { fieldsFor } from '../../../search/request/public-fields.ts'
import { facetedSearch } from '../../../search/request/faceted-search.ts'
import { compileFacets } from '../../../search/request/facets.ts'
import { type CompiledFilter, compileFilter, NO_FILTER, onlyValueOf } from '../../../search/request/filter.ts'
import { inBody, type LocOf, narrowed, type SearchPlace } from '../../../search/request/place.ts'
import { compileSort } from '../../../search/request/sort.ts'
import { findAnchor } from '../../../search/request/anchor.ts'
import { didYouMean } from '../../../search/suggest/did-you-mean.ts'
import { HitCache } from '../../../search/hits/hit-cache.ts'
import { newRequest } from '../../../search/request/new-request.ts'
import { embedQuery } from '../../../search/request/query-vector.ts'
import { ratedBy } from '../../../search/hits/rated.ts'
import { SearchClock } from '../../../search/hits/search-clock.ts'
import type { SearchFacts } from '../../../search/hits/search-facts.ts'
import { requireSite, requireSites, searchedSite } from '../../sites/rules.ts'
import type { Product } from '../contract.ts'
import {
  type AskedSearch,
  type CompiledMerchandising,
  compileRules,
  type Merchandised,
  merchandise,
} from '../merchandising/compile.ts'
import type { MerchandisingPreview, MerchandisingPreviewAnswer } from '../merchandising/contract.ts'
import { notHiddenOnSites } from '../merchandising/hidden-on-sites.ts'
import type { MerchandisingInForce } from '../merchandising/in-force.ts'
import { previewedRules } from '../merchandising/rule.ts'
import { vocabularyOf } from '../merchandising/rules.ts'
import { compileVocabulary } from '../merchandising/vocabulary.ts'
import { choosesFields, chosenHits, chosenOf, DESCRIPTION_LENGTH_MAX } from './chosen-hits.ts'
import { writeAnswer, writeHits } from './hit-json.ts'
import { identifierForms } from './identifiers.ts'
import { CATEGORY_PATH } from '../indexing/category-path.ts'
import { PRODUCT_EMBEDDING } from '../indexing/product-embedding.ts'
import { familyOf, PRODUCT_INDEX } from '../indexing/index-source.ts'
import { productOf } from '../product.ts'
import type { ProductBrowse, ProductBrowseAnswer } from '../browse/contract.ts'
import { type AppliedMerchandising, type ProductFacets, ProductHit, type ProductSearch } from './search-contract.ts'
import { productSearchFields, PUBLIC_PRODUCT_FIELDS } from './product-fields.ts'
import { facetRequest, productFacets } from './search-facets.ts'
import { productFilter, requirePriceRange, siteFilter, variantPolicy } from './search-filter.ts'
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
/** What a product gains whose title is the query; measured like the similarity above. */
const NAMED = { bonus: 0.4 }
/** More than words and clicks can add to a score. Twice the weight of meaning is added, for the share of meaning. */
const EXACT_BONUS = 4 + ALL_WORDS.bonus + NAMED.bonus
/** Products of a page, unless the caller says otherwise. */
const BROWSED_DEFAULT = 50
/** Size of the cache of written products, for all tenants together. */
const CACHE_BYTES_MAX = 64 * 1_024 * 1_024

/** The answer of a search besides its hits. */
export interface ProductSearchFacts extends SearchFacts {
  readonly total: number
  readonly facets: ProductFacets | null
  /** Where a rule leads people with this query; null without such a rule. */
  readonly redirect: string | null
  /** What rules and words of the tenant did, if an explanation was asked for and there are some. */
  readonly applied: AppliedMerchandising | null
  /** What the query was meant to say, if nothing was found and the caller asks for relevance; else null. */
  readonly meant: string | null
  /** The facets that were asked for by their fields. */
  readonly counted: readonly Facet[]
}

/** What a search of products among others asks for besides. */
export interface RichProductSearch extends ProductSearch {
  /** See `SearchFacets`; the fixed facets of `facets` are others. */
  readonly asked?: readonly unknown[]
  /** Words that may be corrected; see `SearchRequest`. */
  readonly correctedMax?: number
}

/** What a section of a search says of its hits. */
type SectionAsked = Pick<ProductSearch, 'filter' | 'sort'> & { readonly facets?: readonly unknown[] }

interface ProductSearchResult extends ProductSearchFacts {
  readonly hits: ProductHit[]
}

/** The answer of the engine, and what was searched for. */
interface Found {
  readonly answer: SearchAnswer
  readonly meant: string | null
  readonly counted: readonly Facet[]
  readonly boosts: ReadonlyMap<string, ClickBoost>
  readonly merchandised: Merchandised | null
  readonly explain: boolean
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
  readonly engine: EngineForRequests
  readonly embedders: EmbedderPool
  readonly log: Pick<SearchLog, 'record'>
  readonly merchandising: MerchandisingInForce
}

export class ProductSearchRules {
  readonly #database: Database
  readonly #engine: EngineForRequests
  readonly #embedders: EmbedderPool
  readonly #log: Pick<SearchLog, 'record'>
  readonly #cache = new HitCache(CACHE_BYTES_MAX)
  readonly #merchandising: MerchandisingInForce

  constructor({ database, engine, embedders, log, merchandising }: SearchParts) {
    this.#database = database
    this.#merchandising = merchandising
    this.#engine = engine
    this.#embedders = embedders
    this.#log = log
  }

  /**
   * Searches products by words, by meaning or by both. Exact hits on an identifier come first. A misspelt word also
   * finds the nearest words.
   * @throws Fault invalid where the filter, the order or the facets are faulty
   */
  async search(caller: Caller, asked: RichProductSearch, place: SearchPlace = {}): Promise<ProductSearchResult> {
    const { logId, locOf } = place
    const input = shownTo(caller, asked, locOf)
    const found = await this.#find(caller, input, place)
    const { answer, boosts, offset, merchandised } = found
    if (choosesFields(input) && !input.explain) {
      const { hits, ids } = await this.#chosen(caller, found, input)
      return { hits, ...this.#record(caller, found, ids, logId) }
    }
    const shown = await this.#read(caller, answer)
    // The names of rules are the shop's own affair.
    const told = caller.publishable === undefined ? merchandised : null
    const whole = presentHits(shown, offset, caller, boosts, told)
    const ids = whole.map((hit) => hit.product.id)
    const hits = choosesFields(input)
      ? await chosenOf(caller.tenant.id, whole, found.query, input, answer.alternatives)
      : whole
    return { hits, ...this.#record(caller, found, ids, logId) }
  }

  /** @throws Fault invalid like `search`, without searching: where the filter, the order or the facets are faulty */
  requireAskable({ filter, facets = [], sort }: SectionAsked, locOf: LocOf): void {
    const fields = productSearchFields(Date.now())
    if (filter !== undefined) compileFilter(filter, fields, locOf('filter'))
    compileFacets(facets, fields, locOf('facets'))
    if (sort !== undefined) compileSort(sort, fields, locOf('sort'))
  }

  /** The same search, written as the body of an answer. */
  async searchJson(caller: Caller, asked: ProductSearch): Promise<ProductSearchFacts & { readonly json: Buffer }> {
    const input = shownTo(caller, asked)
    if (input.explain || choosesFields(input)) {
      const { hits, ...facts } = await this.search(caller, input)
      const json = choosesFields(input) ? JSON.stringify(hits) : writeExplained(hits)
      return { ...facts, json: writeAnswer(facts, Buffer.from(json.slice(1, -1))) }
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

  /**
   * The answer that rules of the request would give in place of the stored ones. Nothing is stored or logged.
   * @throws Fault not_found without the site; invalid for a rule whose fields do not agree
   */
  async preview(
    caller: Caller,
    siteId: string,
    input: MerchandisingPreview,
    place: SearchPlace = {},
  ): Promise<MerchandisingPreviewAnswer> {
    const { queries } = this.#database
    await requireSite(queries, caller.tenant.id, siteId)
    const { rules, synonyms, stop_words, at, ...search } = input
    const stored = await vocabularyOf(queries, caller.tenant.id)
    const merchandising = {
      rules: compileRules(previewedRules(rules)),
      vocabulary: compileVocabulary({
        synonyms: synonyms ?? stored.synonyms,
        stop_words: stop_words ?? stored.stop_words,
      }),
    }
    const nowMs = at === undefined ? Date.now() : Date.parse(at)
    const found = await this.#find(caller, { ...search, site_id: siteId, explain: true }, place, {
      merchandising,
      nowMs,
    })
    const { answer, boosts, offset, merchandised } = found
    const whole = presentHits(await this.#read(caller, answer), offset, caller, boosts, merchandised)
    return {
      total: answer.total,
      hits: await chosenOf(caller.tenant.id, whole, found.query, search, answer.alternatives),
      facets: answer.facets === undefined ? null : productFacets(answer.facets),
      redirect: merchandised?.redirect ?? null,
    }
  }

  /** Every product that passes, as those who keep the catalogue look through it. Nothing is logged. */
  async browse(
    caller: Caller,
    { facets, limit = BROWSED_DEFAULT, ...input }: ProductBrowse,
  ): Promise<ProductBrowseAnswer> {
    const { tenant } = caller
    const whole = {
      ...caller,
      tenant: { ...tenant, settings: { ...tenant.settings, variantStrategy: 'all' } },
    } as const
    const search = { ...input, limit, facets: false, asked: facets }
    const found = await this.#find(whole, search, {}, { isBrowsed: true })
    const { answer, offset, boosts, counted } = found
    const hits = choosesFields(input)
      ? (await this.#chosen(whole, found, search)).hits
      : presentHits(await this.#read(whole, answer), offset, whole, boosts, null)
    return { total: answer.total, hits, facets: [...counted] }
  }

  /** @param given rules in place of those in force, and the moment of the search; or neither rules nor learnt clicks */
  async #find(
    caller: Caller,
    input: RichProductSearch,
    place: SearchPlace = {},
    given?: {
      readonly merchandising?: CompiledMerchandising
      readonly nowMs?: number
      readonly isBrowsed?: boolean
    },
  ): Promise<Found> {
    const { locOf = inBody } = place
    const nowMs = given?.nowMs ?? Date.now()
    const fields = productSearchFields(nowMs)
    const filter = input.filter === undefined ? NO_FILTER : compileFilter(input.filter, fields, locOf('filter'))
    const asked = compileFacets(input.asked ?? [], fields, locOf('facets'))
    const sort = input.sort === undefined ? {} : { sort: compileSort(input.sort, fields, locOf('sort')) }
    this.#engine.requireRoom(caller.tenant.id, PRODUCT_INDEX.name, caller.tenant.settings.searchEngine)
    requirePriceRange(input)
    const clock = new SearchClock()
    const typed = input.query?.trim() ?? ''
    // An empty query finds everything that passes the filters, last changed first.
    const mode = typed === '' ? 'hybrid' : (input.mode ?? 'hybrid')
    await requireSites(this.#database.queries, caller, filter.ids)
    const siteId = await searchedSite(this.#database.queries, caller, input.site_id ?? null, 'body')
    const isBrowsed = given?.isBrowsed === true
    const rulesOf = isBrowsed ? null : siteId
    const inForce = given?.merchandising ?? (await this.#merchandising.of(caller.tenant, rulesOf))
    const rulesAsked = rulesAskedFor(caller, { ...input, query: typed }, filter, nowMs)
    const merchandised = inForce === null ? null : merchandise(inForce, rulesAsked)
    const onSites = await notHiddenOnSites(this.#merchandising, caller, siteId, rulesAsked, 'body')
    const query = merchandised?.query ?? typed
    const [{ vector, degraded }, boosts] = await Promise.all([
      query === '' || mode === 'keyword'
        ? { vector: null, degraded: false }
        : embedQuery(this.#embedders, caller.tenant, query, mode),
      isBrowsed ? new Map() : this.#boosts(caller, siteId, typed, mode),
    ])
    clock.embedded()
    const offset = input.offset ?? 0
    const shown = merchandised === null ? onSites : { all: [merchandised.filter, onSites] }
    const { correctedMax } = input
    const plain = { ...requestOf(caller, siteId, narrowed(productFilter(input, nowMs), place), shown), correctedMax }
    const request: SearchRequest = {
      ...plain,
      ...rankingOf(caller, typed, mode, boosts),
      ...(merchandised === null ? {} : { raises: merchandised.raises, synonyms: merchandised.synonyms }),
      ...(query === '' ? {} : ratedBy(input)),
      ...sort,
      prefixLast: input.prefix ?? false,
      mode,
      query,
      vector,
      offset,
      limit: input.limit ?? 10,
      explain: input.explain ?? false,
      ...(input.excerpt === undefined ? {} : { alternatives: true }),
      ...(input.facets === false ? {} : { facets: facetRequest(nowMs) }),
    }
    const { answer, facets: counted } = await facetedSearch(this.#engine, request, {
      caller,
      fixed: plain.filter,
      filter,
      asked,
      place: locOf('facets'),
    })
    const isMissed = answer.total === 0 && query !== '' && ratedBy(input).rated !== undefined
    const meant = isMissed ? await this.#meant(plain, query) : null
    clock.answered()
    const about = {
      siteId,
      mode,
      query: typed,
      visitorId: input.visitor_id,
      offset,
      explain: input.explain === true && caller.publishable === undefined,
    }
    return { ...about, answer, counted, meant, boosts, merchandised, degraded, clock }
  }

  /** Logs a search. @param shown ids of the products on its page */
  #record(caller: Caller, found: Found, shown: readonly string[], logId?: string): ProductSearchFacts {
    const { answer, counted, meant, siteId, mode, query, visitorId, offset, degraded, clock, merchandised } = found
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
      degraded,
      visitorId,
      ...(logId === undefined ? {} : { id: logId }),
    })
    return {
      total: answer.total,
      facets: answer.facets === undefined || counted.length > 0 ? null : productFacets(answer.facets),
      counted,
      redirect: merchandised?.redirect ?? null,
      applied: found.explain && merchandised !== null ? appliedOf(merchandised) : null,
      meant,
      logId: recordedId,
      degraded,
      isExact: answer.isExact !== false,
      timing,
    }
  }

  /** Whether the tenant has any product, even a retired one. */
  hasProducts(caller: Caller): Promise<boolean> {
    return store.hasProducts(this.#database.queries, caller.tenant.id)
  }

  /** The query in the words of products that the search may find; null when they say nothing better. */
  #meant(request: SearchRequest, query: string): Promise<string | null> {
    const { queries } = this.#database
    const { tenantId } = request.version
    return didYouMean(this.#engine, request, query, {
      titlesOf: async (ids) =>
        new Map((await store.findSuggested(queries, tenantId, ids)).map(({ id, title }) => [id, title])),
      textsOf: (ids) => store.findDescriptions(queries, tenantId, ids, DESCRIPTION_LENGTH_MAX),
    })
  }

  /** Products of the same site nearest to the similarity text of one, else in meaning. Leaves out its family. */
  async similar(caller: Caller, id: string, limit: number): Promise<{ product: Product; similarity: number }[]> {
    const row = await store.findProduct(this.#database.queries, caller.tenant.id, id)
    if (row === null) throw notFound(['path', 'product_id'], 'Product')
    const vector = await findAnchor(this.#database.queries, PRODUCT_EMBEDDING, row, caller.tenant.embeddingModel)
    if (vector === null) return []
    const filter: Filter = { not: { field: 'family', anyOf: [familyOf(row)] } }
    const request = requestOf(caller, row.site_id, filter)
    const answer = await this.#engine.search({ ...request, mode: 'semantic', vector, limit })
    const shown = await this.#read(caller, answer)
    return shown.map((each) => ({ product: productOf(each.shown), similarity: each.hit.similarity }))
  }

  #read(caller: Caller, { hits }: SearchAnswer): ReturnType<typeof readHits> {
    const { tenant } = caller
    return pageSlots.run(tenant.id, () => readHits(this.#database.queries, tenant.id, hits, asParents(caller)))
  }

  /** Reads what the search chose of its hits. */
  #chosen(caller: Caller, found: Found, input: ProductSearch): ReturnType<typeof chosenHits> {
    const { id: tenantId } = caller.tenant
    const { answer, query, offset } = found
    const how = { query, offset, asParents: asParents(caller) }
    return pageSlots.run(tenantId, () => chosenHits(this.#database.queries, tenantId, answer, how, input))
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

/** The search with the fields that this caller gets. @throws Fault invalid at each field that it may not have */
function shownTo<Search extends ProductSearch>(caller: Caller, input: Search, locOf: LocOf = inBody): Search {
  if (caller.publishable === undefined) return input
  return { ...input, fields: fieldsFor(caller, input.fields, PUBLIC_PRODUCT_FIELDS, locOf('fields')) }
}

/** @param shown what rules do not hide. The rest is not visible, so that no score or correction tells of it. */
function requestOf(caller: Caller, siteId: string | null, filter: Filter, shown: Filter = { all: [] }): SearchRequest {
  const { variantStrategy, productVectorWeight: vectorWeight } = caller.tenant.settings
  const variants = variantPolicy(variantStrategy)
  return {
    ...newRequest(caller, PRODUCT_INDEX, { all: [siteFilter(siteId), shown] }),
    filter: { all: [filter, variants.filter] },
    vectorWeight,
    groups: variants.groups,
  }
}

function rulesAskedFor(
  { tenant: { settings } }: Caller,
  { query, category, brand }: ProductSearch & { readonly query: string },
  filter: CompiledFilter,
  nowMs: number,
): AskedSearch {
  const { variantStrategy, productVectorWeight: weight } = settings
  // All words, all meaning, clicks, and the bonus of an identifier, which is more than these.
  const scoreMax = 2 * exactBonus(weight)
  const chosen = {
    category: category ?? onlyValueOf(filter, 'category'),
    under: onlyValueOf(filter, CATEGORY_PATH),
    brand: brand ?? onlyValueOf(filter, 'brand'),
  }
  return { query, ...chosen, nowMs, variantStrategy, scoreMax }
}

function appliedOf({ rules, synonyms, query }: Merchandised): AppliedMerchandising {
  return {
    rules: rules.map(({ id, name, action }) => ({ rule_id: id, name, action })),
    synonyms: synonyms.flatMap(({ of, word }) => (of === word ? [] : [{ of, word }])),
    query,
  }
}

function exactBonus(vectorWeight: number): number {
  return EXACT_BONUS + 2 * vectorWeight
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
): Pick<SearchRequest, 'allWords' | 'named' | 'fuzzy' | 'pin' | 'boosts' | 'relevance'> {
  if (query === '') return {}
  // Words do not rank by meaning, but they count in the relevance.
  if (mode === 'semantic') return { fuzzy: true }
  const identifiers = identifierForms(query)
  const bonus = exactBonus(caller.tenant.settings.productVectorWeight)
  return {
    fuzzy: true,
    allWords: ALL_WORDS,
    named: NAMED,
    ...(identifiers.length === 0 ? {} : { pin: { filter: { field: 'identifier', anyOf: identifiers }, bonus } }),
    ...(boosts.size === 0 ? {} : { boosts: Array.from(boosts, ([id, { boost }]) => ({ id, boost })) }),
    ...(mode === 'hybrid' ? { relevance: { minSimilarityWithoutMatch: SIMILARITY_WITHOUT_MATCH } } : {}),
  }
}

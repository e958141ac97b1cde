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
import type { Facet } from '../../../search/asked/contract.ts'
import { facetedSearch } from '../../../search/asked/faceted-search.ts'
import { compileFacets } from '../../../search/asked/facets.ts'
import { compileFilter, NO_FILTER } from '../../../search/asked/filter.ts'
import { inBody, narrowed, type SearchPlace } from '../../../search/asked/place.ts'
import { compileSort } from '../../../search/asked/sort.ts'
import { findAnchor } from '../../../search/anchor.ts'
import { didYouMean } from '../../../search/did-you-mean.ts'
import { HitCache } from '../../../search/hit-cache.ts'
import { newRequest } from '../../../search/new-request.ts'
import { embedQuery } from '../../../search/query-vector.ts'
import { ratedBy } from '../../../search/rated.ts'
import { SearchClock } from '../../../search/search-clock.ts'
import type { SearchFacts } from '../../../search/search-facts.ts'
import { requireSite, searchedSite } from '../../sites/rules.ts'
import type { Product } from '../contract.ts'
import { compileRules, type CompiledMerchandising, type Merchandised, merchandise } from '../merchandising/compile.ts'
import type { MerchandisingPreview, MerchandisingPreviewAnswer } from '../merchandising/contract.ts'
import { MerchandisingInForce } from '../merchandising/in-force.ts'
import { previewedRules } from '../merchandising/rule.ts'
import { vocabularyOf } from '../merchandising/rules.ts'
import { compileVocabulary } from '../merchandising/vocabulary.ts'
import { choosesFields, chosenHits, chosenOf } from './chosen-hits.ts'
import { writeAnswer, writeHits } from './hit-json.ts'
import { identifierForms } from './identifiers.ts'
import { PRODUCT_EMBEDDING } from '../indexing/product-embedding.ts'
import { familyOf, PRODUCT_INDEX } from '../indexing/index-source.ts'
import { productOf } from '../product.ts'
import { type AppliedMerchandising, type ProductFacets, ProductHit, type ProductSearch } from './search-contract.ts'
import { productSearchFields } from './product-fields.ts'
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
}

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
  readonly #merchandising: MerchandisingInForce

  constructor({ database, engine, embedders, log }: SearchParts) {
    this.#database = database
    this.#merchandising = new MerchandisingInForce(database)
    this.#engine = engine
    this.#embedders = embedders
    this.#log = log
  }

  /**
   * Searches products by words, by meaning or by both. Exact hits on an identifier come first. A misspelt word also
   * finds the nearest words.
   * @throws Fault invalid where the filter, the order or the facets are faulty
   */
  async search(caller: Caller, input: RichProductSearch, place: SearchPlace = {}): Promise<ProductSearchResult> {
    const { logId } = place
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
    const hits = choosesFields(input) ? chosenOf(whole, found.query, input) : whole
    return { hits, ...this.#record(caller, found, ids, logId) }
  }

  /** The same search, written as the body of an answer. */
  async searchJson(caller: Caller, input: ProductSearch): Promise<ProductSearchFacts & { readonly json: Buffer }> {
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
    const hits = presentHits(await this.#read(caller, answer), offset, caller, boosts, merchandised)
    return {
      total: answer.total,
      hits,
      facets: answer.facets === undefined ? null : productFacets(answer.facets),
      redirect: merchandised?.redirect ?? null,
    }
  }

  /** @param given rules in place of those in force, and the moment of the search */
  async #find(
    caller: Caller,
    input: RichProductSearch,
    place: SearchPlace = {},
    given?: { readonly merchandising: CompiledMerchandising; readonly nowMs: number },
  ): Promise<Found> {
    const { locOf = inBody } = place
    const nowMs = given?.nowMs ?? Date.now()
    const fields = productSearchFields(nowMs)
    const filter = input.filter === undefined ? NO_FILTER : compileFilter(input.filter, fields, locOf('filter'))
    const asked = compileFacets(input.asked ?? [], fields, locOf('facets'))
    const sort = input.sort === undefined ? {} : { sort: compileSort(input.sort, fields, locOf('sort')) }
    this.#engine.requireRoom(caller.tenant.id, PRODUCT_INDEX.name)
    const clock = new SearchClock()
    const typed = input.query?.trim() ?? ''
    // An empty query finds everything that passes the filters, last changed first.
    const mode = typed === '' ? 'hybrid' : (input.mode ?? 'hybrid')
    const siteId = await searchedSite(this.#database.queries, caller, input.site_id ?? null, 'body')
    const inForce = given?.merchandising ?? (await this.#merchandising.of(caller.tenant, siteId))
    const merchandised = inForce === null ? null : merchandisedBy(inForce, caller, { ...input, query: typed }, nowMs)
    const query = merchandised?.query ?? typed
    const [{ vector, degraded }, boosts] = await Promise.all([
      query === '' || mode === 'keyword'
        ? { vector: null, degraded: false }
        : embedQuery(this.#embedders, caller.tenant.embeddingModel, query, mode),
      this.#boosts(caller, siteId, typed, mode),
    ])
    clock.embedded()
    const offset = input.offset ?? 0
    const plain = requestOf(caller, siteId, narrowed(visibleTo(merchandised, productFilter(input, nowMs)), place))
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
      ...(input.facets === false ? {} : { facets: facetRequest(nowMs) }),
    }
    const { answer, facets: counted } = await facetedSearch(this.#engine, request, {
      fixed: plain.filter,
      filter,
      asked,
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
      timing,
    }
  }

  /** Whether the tenant has any product, even a retired one. */
  hasProducts(caller: Caller): Promise<boolean> {
    return store.hasProducts(this.#database.queries, caller.tenant.id)
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
    return pageSlots.run(tenantId, () => chosenHits(this.#database.queries, tenantId, answer.hits, how, input))
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

function merchandisedBy(
  inForce: CompiledMerchandising,
  { tenant: { settings } }: Caller,
  { query, category = null, brand = null }: ProductSearch & { readonly query: string },
  nowMs: number,
): Merchandised {
  const { variantStrategy, productVectorWeight: weight } = settings
  // All words, all meaning, clicks, and the bonus of an identifier, which is more than these.
  const scoreMax = 2 * exactBonus(weight)
  return merchandise(inForce, { query, category, brand, nowMs, variantStrategy, scoreMax })
}

/** The filter of a request without what rules hide. */
function visibleTo(merchandised: Merchandised | null, filter: Filter): Filter {
  return merchandised === null ? filter : { all: [filter, merchandised.filter] }
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
): Pick<SearchRequest, 'allWords' | 'fuzzy' | 'pin' | 'boosts' | 'relevance'> {
  if (query === '') return {}
  // Words do not rank by meaning, but they count in the relevance.
  if (mode === 'semantic') return { fuzzy: true }
  const identifiers = identifierForms(query)
  const bonus = exactBonus(caller.tenant.settings.productVectorWeight)
  return {
    fuzzy: true,
    allWords: ALL_WORDS,
    ...(identifiers.length === 0 ? {} : { pin: { filter: { field: 'identifier', anyOf: identifiers }, bonus } }),
    ...(boosts.size === 0 ? {} : { boosts: Array.from(boosts, ([id, { boost }]) => ({ id, boost })) }),
    ...(mode === 'hybrid' ? { relevance: { minSimilarityWithoutMatch: SIMILARITY_WITHOUT_MATCH } } : {}),
  }
}

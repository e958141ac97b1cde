/**
 * Runs one search of one kind of documents, from the request to the presented hits. Entries and products, the two
 * kinds, are the sections of a combined search.
 */
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { pageSlots } from '../../platform/threads/page-slots.ts'
import type { EngineForRequests, IndexDefinition, SearchAnswer, SearchMode, SearchRequest } from '../engine.ts'
import { HitCache } from '../hits/hit-cache.ts'
import { HitExcerpts } from '../hits/hit-excerpts.ts'
import { type HitCaches, type HitKind, type HitPlace, type PresentedHits, presentHits } from '../hits/presented-hits.ts'
import { ratingRequest } from '../hits/relevance-request.ts'
import { SearchClock } from '../hits/search-clock.ts'
import type { SearchFacts } from '../hits/search-facts.ts'
import type { Facet } from '../request/contract.ts'
import { facetedSearch } from '../request/faceted-search.ts'
import { compileFacets, type CompiledFacet } from '../request/facets.ts'
import type { SearchFields } from '../request/fields.ts'
import { type CompiledFilter, compileFilter, NO_FILTER } from '../request/filter.ts'
import { newRequest } from '../request/new-request.ts'
import { inBody, type LocOf, narrowFilter, type SearchPlace } from '../request/place.ts'
import { fieldsFor } from '../request/public-fields.ts'
import { embedQuery, type VectorSource } from '../request/query-vector.ts'
import { scaleFor } from '../request/scale-for.ts'
import { compileSort } from '../request/sort.ts'
import { didYouMean, type SpellingSource } from '../suggest/did-you-mean.ts'

/**
 * Most bytes of the cache of documents of one kind, for all tenants together. The laboratory's searches have caches of
 * their own.
 */
const CACHE_BYTES_MAX = 64 * 1_024 * 1_024

/** Fields that search requests of both kinds have, by their names in the contracts. Code sets `correctedMax`. */
export interface SectionInput {
  readonly query?: string
  readonly mode?: SearchMode
  readonly limit?: number
  readonly offset?: number
  readonly filter?: Parameters<typeof compileFilter>[0]
  readonly sort?: Parameters<typeof compileSort>[0]
  readonly fields?: readonly string[]
  readonly excerpt?: { readonly length?: number }
  readonly explain?: boolean
  readonly prefix?: boolean
  readonly relevance?: boolean
  readonly min_relevance?: number | null
  readonly visitor_id?: string
  /** Most words to correct; see `SearchRequest`. No contract has it: a combined search sets it for its sections. */
  readonly correctedMax?: number
}

/** Fields of a search request that select, order and count its hits. */
export type SelectionInput = Pick<SectionInput, 'filter' | 'sort'> & { readonly facets?: readonly unknown[] }

/** A search whose filter, sort order and facets are valid. */
export interface SectionQuestion {
  /** Query as the caller sent it, without white space around it. */
  readonly typed: string
  readonly mode: SearchMode
  readonly filter: CompiledFilter
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly place: SearchPlace
}

/** Decisions of a kind about a question, made before the engine searches. */
export interface SectionPlan {
  /** Query for the engine: the caller's, or the part of it that merchandising rules leave. */
  readonly query: string
  /** Id of the site that is searched; null for several or none. */
  readonly siteId: string | null
}

/** The part of the engine's request that a kind decides. */
type SectionRequest = Partial<Omit<SearchRequest, 'version' | 'query' | 'vector' | 'mode'>> &
  Pick<SearchRequest, 'visible' | 'filter' | 'vectorWeight'>

/** A search with the engine's answer, before its documents are read. */
export interface AnsweredSearch<Input, Plan> extends SectionQuestion {
  readonly input: Input
  readonly plan: Plan
  readonly answer: SearchAnswer
  /** Facets of the request that name a field. */
  readonly compiledFacets: readonly CompiledFacet[]
  /** Values of `compiledFacets`, in the same order. */
  readonly facets: readonly Facet[]
  /**
   * Query with its misspelt words corrected; null unless the caller asks for relevance, no hit is relevant, and a word
   * can be corrected.
   */
  readonly meant: string | null
  /** Whether words alone decided, because the query got no vector. */
  readonly degraded: boolean
  readonly clock: SearchClock
}

/**
 * The differences between the searches of entries and of products.
 * @typeParam Input fields of the request
 * @typeParam Plan decisions before the search
 * @typeParam Options arguments that only code gives, never a request
 */
export interface SectionKind<Input extends SectionInput, Plan extends SectionPlan, Options> {
  readonly section: 'knowledge' | 'products'
  readonly index: IndexDefinition
  readonly modeDefault: SearchMode
  /** Returns which models may be asked for the vector of a search in keyword mode. Only similarities need it. */
  keywordVectorFrom(input: Input): VectorSource
  /** Fields of a document that a publishable key may read. */
  readonly publicFields: readonly string[]
  /** Returns the fields by which the caller may filter, count and sort. */
  fieldsOf(caller: Caller, nowMs: number): SearchFields
  /** Returns those facets of a request that name a field, unchecked. */
  facetsOf(input: Input): readonly unknown[]
  /** Makes the decisions that come before the search. @throws Fault invalid where the request names an unknown id */
  plan(caller: Caller, input: Input, question: SectionQuestion, options: Options): Promise<Plan>
  /**
   * Returns the kind's part of the engine's request. Runs while the query is embedded.
   * @throws Fault invalid like `plan`
   */
  requestOf(caller: Caller, input: Input, question: SectionQuestion, plan: Plan): Promise<SectionRequest>
  /** Tells whether an answer has no relevant hit. */
  isMissed(answer: SearchAnswer, input: Input): boolean
  /** Returns the texts in which `didYouMean` looks for the right spelling of a word. */
  spellingFor(caller: Caller): SpellingSource
  /**
   * Returns how to present the hits of a search.
   * @param search null for documents near to another one, which have no rank or score
   */
  hitsFor(caller: Caller, search: AnsweredSearch<Input, Plan> | null): HitKind<HitPlace>
  /**
   * Returns the query and the number of hits for the search log.
   * @param pageHits number of hits on the page
   */
  loggedAs(search: AnsweredSearch<Input, Plan>, pageHits: number): { readonly query: string; readonly hits: number }
}

/** An answered search, or one section of a combined one, for the search log. */
export interface LoggedSearch {
  readonly caller: Caller
  readonly section: 'knowledge' | 'products'
  /** Id of the site; null for a search that names no site. */
  readonly siteId: string | null
  readonly mode: SearchMode
  readonly query: string
  /** Number of hits before the page. */
  readonly offset: number
  /** Number of all hits if the search counts them, else of those on the page. */
  readonly hits: number
  /** Ids on the page, best first. */
  readonly shown: readonly string[]
  readonly durationMs: number
  /** Whether the search went by words alone, because embedding failed. */
  readonly degraded: boolean
  /** `visitor_id` of the request. A caller with a user needs none. */
  readonly visitorId?: string
  /** Id that the log gave an earlier section of the same combined search. */
  readonly id?: string
}

/** The interface to `SearchLog`, which is in a wing above. */
export interface SearchRecorder {
  /** Logs a search. @returns its id */
  record(search: LoggedSearch): string
}

/** Parts of the service with which requests are searched. */
export interface SectionParts {
  readonly engine: EngineForRequests
  readonly embedders: EmbedderPool
  readonly log: SearchRecorder
}

/** Searches one kind of documents for every channel: HTTP, MCP and combined searches. */
export class SectionSearch<Input extends SectionInput, Plan extends SectionPlan, Options = undefined> {
  readonly #parts: SectionParts
  readonly #kind: SectionKind<Input, Plan, Options>
  readonly #caches: HitCaches = { documents: new HitCache(CACHE_BYTES_MAX), excerpts: new HitExcerpts() }

  constructor(parts: SectionParts, kind: SectionKind<Input, Plan, Options>) {
    this.#parts = parts
    this.#kind = kind
  }

  /**
   * Checks the filter, the sort order and the facets of a request, without a search.
   * @throws Fault invalid at each of their faults
   */
  checkSelection(caller: Caller, { filter, facets = [], sort }: SelectionInput, locOf: LocOf): void {
    this.#compile(caller, { filter, sort }, facets, Date.now(), locOf)
  }

  /**
   * Returns the request with the fields that the caller may read. For a publishable key, no choice becomes all public
   * fields; another caller's request stays as it is.
   * @throws Fault invalid at each field that a publishable key may not read
   */
  withReadableFields(caller: Caller, input: Input, locOf: LocOf = inBody): Input {
    if (caller.publishable === undefined) return input
    return { ...input, fields: fieldsFor(caller, input.fields, this.#kind.publicFields, locOf('fields')) }
  }

  /**
   * Searches with the engine.
   * @throws Fault invalid where the request is faulty; and the errors of the engine and the embedder
   */
  async find(
    caller: Caller,
    input: Input,
    place: SearchPlace,
    options: Options,
    nowMs = Date.now(),
  ): Promise<AnsweredSearch<Input, Plan>> {
    const { engine, embedders } = this.#parts
    const kind = this.#kind
    const { locOf = inBody } = place
    const { filter, compiledFacets, sort } = this.#compile(caller, input, kind.facetsOf(input), nowMs, locOf)
    const { tenant } = caller
    engine.requireRoom(tenant.id, kind.index.name, tenant.settings.searchEngine)
    const clock = new SearchClock()
    const typed = input.query?.trim() ?? ''
    // An empty query matches everything that passes the filters, last changed first.
    const mode = typed === '' ? 'hybrid' : (input.mode ?? kind.modeDefault)
    const question = { typed, mode, filter, nowMs, place }
    const plan = await kind.plan(caller, input, question, options)
    const isEmpty = plan.query.trim() === ''
    const [{ vector, degraded }, scale, { visible, filter: ownFilter, ...own }] = await Promise.all([
      isEmpty
        ? { vector: null, degraded: false }
        : embedQuery(embedders, tenant, plan.query, mode, mode === 'keyword' ? kind.keywordVectorFrom(input) : 'any'),
      scaleFor(embedders, tenant),
      kind.requestOf(caller, input, question, plan),
    ])
    clock.embedded()
    const fixed = narrowFilter(ownFilter, place)
    const plain = { ...newRequest(caller, kind.index, visible), filter: fixed, vectorWeight: own.vectorWeight }
    const { correctedMax, excerpt, explain = false, prefix = false, offset = 0, limit = 10 } = input
    const rating = isEmpty ? {} : ratingRequest(input)
    const request: SearchRequest = {
      ...plain,
      ...own,
      correctedMax,
      ...rating,
      ...sort,
      mode,
      query: plan.query,
      vector,
      ...scale,
      offset,
      limit,
      // Without the query's vector there is nothing to compare; every hit would be dropped.
      minSimilarity: degraded ? null : (own.minSimilarity ?? null),
      explain,
      prefixLast: prefix,
      ...(excerpt === undefined ? {} : { alternatives: true }),
    }
    const { answer, facets } = await facetedSearch(engine, request, {
      caller,
      fixed,
      filter,
      compiledFacets,
      place: locOf('facets'),
    })
    const isMissed = !isEmpty && rating.rated !== undefined && kind.isMissed(answer, input)
    const spellingRequest = { ...plain, groups: own.groups ?? null, correctedMax }
    const meant = isMissed ? await didYouMean(engine, spellingRequest, plan.query, kind.spellingFor(caller)) : null
    clock.answered()
    return { ...question, input, plan, answer, compiledFacets, facets, meant, degraded, clock }
  }

  /** Reads and presents the page of hits, once the tenant has its turn among the tenants that read pages. */
  present(caller: Caller, search: AnsweredSearch<Input, Plan>): Promise<PresentedHits> {
    const { input, answer } = search
    return pageSlots.run(caller.tenant.id, () =>
      presentHits(this.#caches, this.#kind.hitsFor(caller, search), answer, {
        fields: input.fields ?? null,
        query: search.typed,
        excerpt: input.excerpt ?? null,
      }),
    )
  }

  /** Finds and presents the documents nearest to a vector. The search log gets no record of it. */
  async nearest(
    caller: Caller,
    request: Pick<SearchRequest, 'visible' | 'filter' | 'vector' | 'limit'> & Partial<SearchRequest>,
  ): Promise<PresentedHits> {
    const { visible, ...own } = request
    const { engine, embedders } = this.#parts
    const scale = await scaleFor(embedders, caller.tenant)
    const answer = await engine.search({ ...newRequest(caller, this.#kind.index, visible), ...scale, ...own })
    const choice = { fields: null, query: '', excerpt: null }
    return pageSlots.run(caller.tenant.id, () =>
      presentHits(this.#caches, this.#kind.hitsFor(caller, null), answer, choice),
    )
  }

  /**
   * Logs a search after its page was presented.
   * @param shown ids of the documents on the page
   * @param logId id of the combined search that this search is a section of
   */
  record(caller: Caller, search: AnsweredSearch<Input, Plan>, shown: readonly string[], logId?: string): SearchFacts {
    const { answer, input, mode, plan, degraded, clock } = search
    const { timing, durationMs } = clock.read(answer)
    const id = this.#parts.log.record({
      caller,
      section: this.#kind.section,
      siteId: plan.siteId,
      mode,
      ...this.#kind.loggedAs(search, shown.length),
      offset: input.offset ?? 0,
      shown,
      durationMs,
      degraded,
      visitorId: input.visitor_id,
      ...(logId === undefined ? {} : { id: logId }),
    })
    const { behind } = answer
    return {
      logId: id,
      degraded,
      isExact: answer.isExact !== false,
      ...(behind === undefined ? {} : { behind }),
      timing,
    }
  }

  #compile(
    caller: Caller,
    { filter, sort }: Pick<SectionInput, 'filter' | 'sort'>,
    facets: readonly unknown[],
    nowMs: number,
    locOf: LocOf,
  ) {
    const fields = this.#kind.fieldsOf(caller, nowMs)
    return {
      filter: filter === undefined ? NO_FILTER : compileFilter(filter, fields, locOf('filter')),
      compiledFacets: compileFacets(facets, fields, locOf('facets')),
      sort: sort === undefined ? {} : { sort: compileSort(sort, fields, locOf('sort')) },
    }
  }
}

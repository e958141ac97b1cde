/** One search of one kind of documents, from the request to what is shown of its hits. */
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { pageSlots } from '../../platform/threads/page-slots.ts'
import type { EngineForRequests, IndexDefinition, SearchAnswer, SearchMode, SearchRequest } from '../engine.ts'
import { HitCache } from '../hits/hit-cache.ts'
import { HitExcerpts } from '../hits/hit-excerpts.ts'
import { type HitCaches, type HitKind, type HitPlace, type PresentedHits, presentHits } from '../hits/presented-hits.ts'
import { ratedBy } from '../hits/rated.ts'
import { SearchClock } from '../hits/search-clock.ts'
import type { SearchFacts } from '../hits/search-facts.ts'
import type { Facet } from '../request/contract.ts'
import { facetedSearch } from '../request/faceted-search.ts'
import { type AskedFacet, compileFacets } from '../request/facets.ts'
import type { SearchFields } from '../request/fields.ts'
import { type CompiledFilter, compileFilter, NO_FILTER } from '../request/filter.ts'
import { newRequest } from '../request/new-request.ts'
import { inBody, type LocOf, narrowed, type SearchPlace } from '../request/place.ts'
import { fieldsFor } from '../request/public-fields.ts'
import { embedQuery } from '../request/query-vector.ts'
import { compileSort } from '../request/sort.ts'
import { didYouMean, type SpellingSource } from '../suggest/did-you-mean.ts'

/** Size of the cache of documents that a kind has shown, for all tenants together. */
const CACHE_BYTES_MAX = 64 * 1_024 * 1_024

/** What every search may ask, by the names of the contracts. */
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
  /** Words that may be corrected; see `SearchRequest`. */
  readonly correctedMax?: number
}

/** What a search is about, once its filter, order and facets are found sound. */
export interface SectionQuestion {
  /** The query without white space around it. */
  readonly typed: string
  readonly mode: SearchMode
  readonly filter: CompiledFilter
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly place: SearchPlace
}

/** What a kind makes of a question before the engine is asked. */
export interface SectionPlan {
  /** What the engine looks for: the query, or what rules leave of it. */
  readonly query: string
  /** The site that is searched; null for several or none. */
  readonly siteId: string | null
}

/** The part of the engine's request that a kind decides. */
type SectionRequest = Partial<Omit<SearchRequest, 'version' | 'query' | 'vector' | 'mode'>> &
  Pick<SearchRequest, 'visible' | 'filter' | 'vectorWeight'>

/** A search that the engine has answered, before its documents are read. */
export interface Searched<Input, Plan> extends SectionQuestion {
  readonly input: Input
  readonly plan: Plan
  readonly answer: SearchAnswer
  /** The facets that were asked for by their fields, and their values. */
  readonly asked: readonly AskedFacet[]
  readonly facets: readonly Facet[]
  /** What the query was meant to say, if nothing was found and the caller asks for relevance; else null. */
  readonly meant: string | null
  readonly degraded: boolean
  readonly clock: SearchClock
}

/** What sets the searches of one kind of documents apart. @typeParam Options what code may ask beside the request */
export interface SectionKind<Input extends SectionInput, Plan extends SectionPlan, Options> {
  readonly section: 'knowledge' | 'products'
  readonly index: IndexDefinition
  readonly modeDefault: SearchMode
  /** Whether a query is embedded where only words rank, so that hits say how near they are. */
  readonly embedsKeywords: boolean
  /** The fields of a document that a publishable key gets. */
  readonly publicFields: readonly string[]
  /** Returns what the caller may filter by, count and sort by. */
  fieldsOf(caller: Caller, nowMs: number): SearchFields
  /** Returns the facets that a request names by their fields. */
  facetsOf(input: Input): readonly unknown[]
  /** @throws Fault invalid where the request names what does not exist */
  plan(caller: Caller, input: Input, question: SectionQuestion, options: Options): Promise<Plan>
  /** Runs while the query is embedded. @throws Fault invalid like `plan` */
  requestOf(caller: Caller, input: Input, question: SectionQuestion, plan: Plan): Promise<SectionRequest>
  /** Whether an answer has nothing that was meant. */
  isMissed(answer: SearchAnswer, input: Input): boolean
  /** Returns where the right spelling of a word is looked for. */
  spellingFor(caller: Caller): SpellingSource
  /** @param searched null for documents near to another, which have no rank or score */
  hitsFor(caller: Caller, searched: Searched<Input, Plan> | null): HitKind<HitPlace>
  /** Returns the query as the search log has it, and how many hits it counts. @param shown how many are on the page */
  loggedAs(searched: Searched<Input, Plan>, shown: number): { readonly query: string; readonly hits: number }
}

/** Logs answered searches; `SearchLog` does. */
export interface SearchRecorder {
  /** @returns the id of the search */
  record(search: {
    readonly caller: Caller
    readonly section: 'knowledge' | 'products'
    readonly siteId: string | null
    readonly mode: SearchMode
    readonly query: string
    readonly offset: number
    readonly hits: number
    readonly shown: readonly string[]
    readonly durationMs: number
    readonly degraded: boolean
    readonly visitorId?: string
    readonly id?: string
  }): string
}

/** What requests are searched with. */
export interface SectionParts {
  readonly engine: EngineForRequests
  readonly embedders: EmbedderPool
  readonly log: SearchRecorder
}

/** Searches one kind of documents. HTTP, MCP and searches over several kinds all come through here. */
export class SectionSearch<Input extends SectionInput, Plan extends SectionPlan, Options = undefined> {
  readonly #parts: SectionParts
  readonly #kind: SectionKind<Input, Plan, Options>
  readonly #caches: HitCaches = { documents: new HitCache(CACHE_BYTES_MAX), excerpts: new HitExcerpts() }

  constructor(parts: SectionParts, kind: SectionKind<Input, Plan, Options>) {
    this.#parts = parts
    this.#kind = kind
  }

  /**
   * Checks a part of a search without searching.
   * @throws Fault invalid where the filter, the order or the facets are faulty
   */
  requireAskable(
    caller: Caller,
    { filter, facets = [], sort }: Pick<Input, 'filter' | 'sort'> & { readonly facets?: readonly unknown[] },
    locOf: LocOf,
  ): void {
    this.#compile(caller, { filter, sort }, facets, Date.now(), locOf)
  }

  /**
   * Returns the request with the fields that this caller gets.
   * @throws Fault invalid at each field that it may not have
   */
  shownTo(caller: Caller, input: Input, locOf: LocOf = inBody): Input {
    if (caller.publishable === undefined) return input
    return { ...input, fields: fieldsFor(caller, input.fields, this.#kind.publicFields, locOf('fields')) }
  }

  /**
   * Asks the engine.
   * @throws Fault invalid where the request is faulty, and what the engine and the embedder throw
   */
  async find(
    caller: Caller,
    input: Input,
    place: SearchPlace,
    options: Options,
    nowMs = Date.now(),
  ): Promise<Searched<Input, Plan>> {
    const { engine, embedders } = this.#parts
    const kind = this.#kind
    const { locOf = inBody } = place
    const { filter, asked, sort } = this.#compile(caller, input, kind.facetsOf(input), nowMs, locOf)
    const { tenant } = caller
    engine.requireRoom(tenant.id, kind.index.name, tenant.settings.searchEngine)
    const clock = new SearchClock()
    const typed = input.query?.trim() ?? ''
    // An empty query finds everything that passes the filters, last changed first.
    const mode = typed === '' ? 'hybrid' : (input.mode ?? kind.modeDefault)
    const question = { typed, mode, filter, nowMs, place }
    const plan = await kind.plan(caller, input, question, options)
    const isEmpty = plan.query.trim() === ''
    const [{ vector, degraded }, own] = await Promise.all([
      isEmpty || (mode === 'keyword' && !kind.embedsKeywords)
        ? { vector: null, degraded: false }
        : embedQuery(embedders, tenant, plan.query, mode),
      kind.requestOf(caller, input, question, plan),
    ])
    clock.embedded()
    const fixed = narrowed(own.filter, place)
    const plain = { ...newRequest(caller, kind.index, own.visible), filter: fixed, vectorWeight: own.vectorWeight }
    const { correctedMax, excerpt, explain = false, prefix = false, offset = 0, limit = 10 } = input
    const rated = isEmpty ? {} : ratedBy(input)
    const request: SearchRequest = {
      ...plain,
      ...own,
      filter: fixed,
      visible: plain.visible,
      correctedMax,
      ...rated,
      ...sort,
      mode,
      query: plan.query,
      vector,
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
      asked,
      place: locOf('facets'),
    })
    const isMissed = !isEmpty && rated.rated !== undefined && kind.isMissed(answer, input)
    const spelt = { ...plain, groups: own.groups ?? null, correctedMax }
    const meant = isMissed ? await didYouMean(engine, spelt, plan.query, kind.spellingFor(caller)) : null
    clock.answered()
    return { ...question, input, plan, answer, asked, facets, meant, degraded, clock }
  }

  /** Reads and presents the page of hits. The tenant waits for its turn. */
  present(caller: Caller, searched: Searched<Input, Plan>): Promise<PresentedHits> {
    const { input, answer } = searched
    return pageSlots.run(caller.tenant.id, () =>
      presentHits(this.#caches, this.#kind.hitsFor(caller, searched), answer, {
        fields: input.fields ?? null,
        query: searched.typed,
        excerpt: input.excerpt ?? null,
      }),
    )
  }

  /** Presents the documents that are nearest to a vector. Nothing is logged. */
  async nearest(
    caller: Caller,
    request: Pick<SearchRequest, 'visible' | 'filter' | 'vector' | 'limit'> & Partial<SearchRequest>,
  ): Promise<PresentedHits> {
    const { visible, ...own } = request
    const answer = await this.#parts.engine.search({ ...newRequest(caller, this.#kind.index, visible), ...own })
    const choice = { fields: null, query: '', excerpt: null }
    return pageSlots.run(caller.tenant.id, () =>
      presentHits(this.#caches, this.#kind.hitsFor(caller, null), answer, choice),
    )
  }

  /** Logs a search once it is presented. @param shown ids of the documents on its page */
  record(caller: Caller, searched: Searched<Input, Plan>, shown: readonly string[], logId?: string): SearchFacts {
    const { answer, input, mode, plan, degraded, clock } = searched
    const { timing, durationMs } = clock.read(answer)
    const recorded = this.#parts.log.record({
      caller,
      section: this.#kind.section,
      siteId: plan.siteId,
      mode,
      ...this.#kind.loggedAs(searched, shown.length),
      offset: input.offset ?? 0,
      shown,
      durationMs,
      degraded,
      visitorId: input.visitor_id,
      ...(logId === undefined ? {} : { id: logId }),
    })
    return { logId: recorded, degraded, isExact: answer.isExact !== false, timing }
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
      asked: compileFacets(facets, fields, locOf('facets')),
      sort: sort === undefined ? {} : { sort: compileSort(sort, fields, locOf('sort')) },
    }
  }
}

import type { Caller } from '../../../platform/access/caller.ts'
import { maySee } from '../../../platform/access/visibility.ts'
import { maySearchSite } from '../../../platform/access/bound-sites.ts'
import type { CategoryRules } from '../../categories/rules.ts'
import type { SearchLog } from '../../../insights/search-log/search-log.ts'
import type { Database } from '../../../platform/database/database.ts'
import { jsonCount, pageOf } from '../../../platform/database/page.ts'
import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { notFound, referenceNotFound } from '../../../platform/faults.ts'
import { languageKey } from '../../../platform/contract/language.ts'
import { ListOf } from '../../../platform/contract/schema.ts'
import { compileSerialiser } from '../../../platform/contract/serialise.ts'
import { pageSlots } from '../../../platform/threads/page-slots.ts'
import { titleKeysOf } from '../../../search/analysis/analysis.ts'
import type { Filter, SearchAnswer, EngineForRequests, SearchHit, SearchRequest } from '../../../search/engine.ts'
import type { Facet } from '../../../search/request/contract.ts'
import { askableBy, fieldsFor } from '../../../search/request/public-fields.ts'
import { facetedSearch } from '../../../search/request/faceted-search.ts'
import { compileFacets } from '../../../search/request/facets.ts'
import { type CompiledFilter, compileFilter, NO_FILTER } from '../../../search/request/filter.ts'
import { inBody, type LocOf, narrowed, OPEN, type SearchPlace } from '../../../search/request/place.ts'
import { compileSort } from '../../../search/request/sort.ts'
import { findAnchor } from '../../../search/request/anchor.ts'
import { didYouMean } from '../../../search/suggest/did-you-mean.ts'
import { HitCache } from '../../../search/hits/hit-cache.ts'
import type { Excerpt } from '../../../search/excerpts/excerpt.ts'
import { newRequest } from '../../../search/request/new-request.ts'
import { embedQuery } from '../../../search/request/query-vector.ts'
import { isMeant, ratedBy } from '../../../search/hits/rated.ts'
import { SearchClock } from '../../../search/hits/search-clock.ts'
import type { SearchFacts } from '../../../search/hits/search-facts.ts'
import { visibleFilter } from '../../../search/request/visible-filter.ts'
import { EntryHit as EntryHitContract, type EntrySearch, type Explanation } from '../contract.ts'
import type { Entry, RelatedEntry } from '../contract.ts'
import { entryOf, guardOf } from '../entry.ts'
import { withSubtreeCounts } from './category-facets.ts'
import { choosesFields, chosenHits, passageTextOf } from './chosen-hits.ts'
import { ContentExcerpts } from './content-excerpts.ts'
import { ENTRY_SEARCH_FIELDS, PUBLIC_ENTRY_FIELDS, PUBLIC_ENTRY_SEARCH_FIELDS } from './entry-fields.ts'
import { writeHits } from './hit-json.ts'
import { withCategoryPaths } from '../lists/category-path.ts'
import { requireNamed, requireRestrictions } from '../writes/references.ts'
import { ENTRY_EMBEDDING } from '../indexing/entry-embedding.ts'
import { ENTRY_INDEX } from '../indexing/index-source.ts'
import * as store from '../store.ts'
import { findVisibleEntry } from '../visibility/visible-store.ts'

export interface EntryHit {
  /** With `fields`, it has those alone. */
  entry: Entry
  similarity: number
  score?: number
  relevance?: number
  excerpt?: Excerpt
  explanation?: Explanation
}

/** What a search of entries among others asks for besides. */
export interface RichEntrySearch extends EntrySearch {
  /** See `SearchFacets`. */
  readonly facets?: readonly unknown[]
  /** Words that may be corrected; see `SearchRequest`. */
  readonly correctedMax?: number
}

/** What a section of a search says of its hits. */
type SectionAsked = Pick<RichEntrySearch, 'filter' | 'sort' | 'facets'>

interface EntrySearchResult extends SearchFacts {
  readonly hits: EntryHit[]
  /** All entries that were found. */
  readonly total: number
  readonly facets: readonly Facet[]
  /** Whether the page ended early because its hits were too large. */
  readonly isCut: boolean
  readonly meant: string | null
}

interface Presented {
  readonly hits: EntryHit[]
  /** Ids of the entries of the hits. */
  readonly ids: readonly string[]
  readonly isCut: boolean
}

/** Characters of a content in which the right spelling of a misspelt word is looked for. */
const BEGINNING_LENGTH_MAX = 16_384
/** Size of the cache of written entries, for all tenants together. */
const CACHE_BYTES_MAX = 64 * 1024 * 1024

const writeExplained = compileSerialiser(ListOf(EntryHitContract))

/** A search answered by the engine, before its entries are read. */
interface Found {
  readonly answer: SearchAnswer
  /** What the query was meant to say, if nothing was found and the caller asks for relevance; else null. */
  readonly meant: string | null
  readonly facets: readonly Facet[]
  readonly mode: SearchRequest['mode']
  readonly degraded: boolean
  readonly clock: SearchClock
}

export class EntrySearchRules {
  readonly #database: Database
  readonly #engine: EngineForRequests
  readonly #embedders: EmbedderPool
  readonly #categories: CategoryRules
  readonly #log: Pick<SearchLog, 'record'>
  readonly #cache = new HitCache(CACHE_BYTES_MAX)
  readonly #contents = new ContentExcerpts()

  constructor(options: {
    database: Database
    engine: EngineForRequests
    embedders: EmbedderPool
    categories: CategoryRules
    log: Pick<SearchLog, 'record'>
  }) {
    this.#database = options.database
    this.#engine = options.engine
    this.#embedders = options.embedders
    this.#categories = options.categories
    this.#log = options.log
  }

  /**
   * @param language preferred language in a translation group; only used with `group_translations`
   * @throws Fault invalid where the filter, the order or the facets are faulty
   */
  async search(
    caller: Caller,
    asked: RichEntrySearch,
    language: string,
    place: SearchPlace = {},
  ): Promise<EntrySearchResult> {
    const input = shownTo(caller, asked, place.locOf)
    const found = await this.#find(caller, input, language, place)
    const {
      hits: plain,
      ids,
      isCut,
    } = await pageSlots.run(caller.tenant.id, () =>
      choosesFields(input)
        ? this.#presentChosen(caller, input, found)
        : this.#present(caller, found.answer, found.mode !== 'semantic'),
    )
    const hits = input.include_category_path ? await this.#withPaths(caller, plain) : plain
    const { total } = found.answer
    const { facets, meant } = found
    return { hits, total, facets, meant, isCut, ...this.#record(caller, input, found, ids, place.logId) }
  }

  /** @throws Fault invalid like `search`, without searching: where the filter, the order or the facets are faulty */
  requireAskable(caller: Caller, { filter, facets = [], sort }: SectionAsked, locOf: LocOf): void {
    const fields = askableBy(caller, ENTRY_SEARCH_FIELDS, PUBLIC_ENTRY_SEARCH_FIELDS)
    if (filter !== undefined) compileFilter(filter, fields, locOf('filter'))
    compileFacets(facets, fields, locOf('facets'))
    if (sort !== undefined) compileSort(sort, fields, locOf('sort'))
  }

  /** The same search, with its hits written as the body of an answer. */
  async searchJson(
    caller: Caller,
    asked: EntrySearch,
    language: string,
  ): Promise<SearchFacts & { readonly json: Buffer; readonly meant: string | null }> {
    const input = shownTo(caller, asked)
    if (input.explain || input.include_category_path || choosesFields(input)) {
      const { hits, ...facts } = await this.search(caller, input, language)
      return { json: Buffer.from(choosesFields(input) ? JSON.stringify(hits) : writeExplained(hits)), ...facts }
    }
    const found = await this.#find(caller, input, language)
    const { answer, meant } = found
    const { hits } = answer
    const { ids, json } = await pageSlots.run(caller.tenant.id, () =>
      writeHits(this.#database.queries, this.#cache, caller, hits, found.mode !== 'semantic'),
    )
    return { json, meant, ...this.#record(caller, input, found, ids) }
  }

  async #withPaths(caller: Caller, hits: readonly EntryHit[]): Promise<EntryHit[]> {
    const entries = hits.map((hit) => hit.entry)
    const named = await withCategoryPaths(this.#database.queries, caller.tenant.id, entries)
    return hits.map((hit, i) => ({ ...hit, entry: named[i] }))
  }

  async #find(caller: Caller, input: RichEntrySearch, language: string, place: SearchPlace = {}): Promise<Found> {
    const { locOf = inBody } = place
    const fields = askableBy(caller, ENTRY_SEARCH_FIELDS, PUBLIC_ENTRY_SEARCH_FIELDS)
    const asked = compileFacets(input.facets ?? [], fields, locOf('facets'))
    const sort = input.sort === undefined ? {} : { sort: compileSort(input.sort, fields, locOf('sort')) }
    this.#engine.requireRoom(caller.tenant.id, ENTRY_INDEX.name, caller.tenant.settings.searchEngine)
    const typed = input.query.trim()
    // An empty query finds everything that passes the filters, last changed first.
    const mode = typed === '' ? 'hybrid' : (input.mode ?? 'semantic')
    const clock = new SearchClock()
    const [{ vector, degraded }, asFiltered, filter] = await Promise.all([
      typed === '' ? { vector: null, degraded: false } : embedQuery(this.#embedders, caller.tenant, input.query, mode),
      this.#filterOf(caller, input),
      this.#compiled(caller, input.filter, locOf('filter')),
    ])
    clock.embedded()
    const fixed = narrowed(asFiltered, place)
    const { correctedMax } = input
    const plain = { ...requestOf(caller, vector, fixed), correctedMax }
    const request: SearchRequest = {
      ...plain,
      ...sort,
      mode,
      query: input.query,
      byQuery: true,
      ...(mode === 'semantic' ? {} : pinOf(caller, input.query)),
      offset: input.offset ?? 0,
      limit: input.limit ?? 10,
      // Without the query's vector there is nothing to compare; every hit would be dropped.
      minSimilarity: degraded ? null : (input.min_similarity ?? null),
      groups: input.group_translations ? { prefer: { field: 'language', anyOf: [languageKey(language)] } } : null,
      explain: input.explain ?? false,
      fuzzy: input.typo_tolerance ?? false,
      prefixLast: input.prefix ?? false,
      ...(typed === '' ? {} : ratedBy(input)),
      ...(place.isOpen === true ? { raises: OPEN } : {}),
      ...(input.excerpt === undefined ? {} : { passages: true, alternatives: true }),
    }
    const { answer, facets } = await facetedSearch(this.#engine, request, {
      caller,
      fixed,
      filter,
      asked,
      place: locOf('facets'),
    })
    const isMissed = typed !== '' && request.rated !== undefined && findsNothing(answer, input)
    const meant = isMissed ? await this.#meant(caller, plain, input.query) : null
    clock.answered()
    return {
      answer,
      meant,
      facets: await withSubtreeCounts(caller, this.#categories, asked, facets),
      mode,
      degraded,
      clock,
    }
  }

  /** @throws Fault invalid at each fault of the filter, and at each id in it that does not exist */
  async #compiled(caller: Caller, filter: unknown, loc: readonly string[]): Promise<CompiledFilter> {
    if (filter === undefined) return NO_FILTER
    const fields = askableBy(caller, ENTRY_SEARCH_FIELDS, PUBLIC_ENTRY_SEARCH_FIELDS)
    const compiled = compileFilter(filter, fields, loc)
    await requireNamed(this.#database.queries, caller.tenant.id, compiled.ids)
    const walked = new Map<string, readonly string[]>()
    for (const { id } of compiled.subtrees) {
      if (!walked.has(id)) walked.set(id, await this.#categories.subtree(caller, id))
    }
    // A tree can have more categories than a call takes arguments.
    for (const { id, into } of compiled.subtrees) for (const below of walked.get(id)!) into.push(below)
    return compiled
  }

  /** Logs a search. @param shown ids of the entries on its page */
  #record(
    caller: Caller,
    input: EntrySearch,
    { answer, mode, degraded, clock }: Found,
    shown: readonly string[],
    logId?: string,
  ): SearchFacts {
    const { timing, durationMs } = clock.read(answer)
    const recordedId = this.#log.record({
      ...(logId === undefined ? {} : { id: logId }),
      caller,
      section: 'knowledge',
      siteId: input.site_id ?? null,
      mode,
      query: input.query,
      offset: input.offset ?? 0,
      // Analytics lists what nothing was found for.
      hits: findsNothing(answer, input) ? 0 : shown.length,
      shown,
      durationMs,
      degraded,
      visitorId: input.visitor_id,
    })
    return { logId: recordedId, degraded, isExact: answer.isExact !== false, timing }
  }

  /** The query in the words of entries that the caller may see; null when they say nothing better. */
  #meant(caller: Caller, request: SearchRequest, query: string): Promise<string | null> {
    const { queries } = this.#database
    const { id: tenantId } = caller.tenant
    const shown = async (ids: readonly string[]) =>
      (await store.findTitles(queries, tenantId, ids)).filter((row) => maySee(caller, guardOf(row)))
    return didYouMean(this.#engine, request, query, {
      titlesOf: async (ids) => new Map((await shown(ids)).map(({ id, title }) => [id, title])),
      textsOf: async (ids) => {
        const seen = (await shown(ids)).map(({ id }) => id)
        return store.findBeginnings(queries, tenantId, seen, BEGINNING_LENGTH_MAX)
      },
    })
  }

  /** Reads what the search chose of its hits. */
  async #presentChosen(caller: Caller, input: EntrySearch, { answer, mode }: Found): Promise<Presented> {
    const { hits, isCut } = await chosenHits(
      { db: this.#database.queries, contents: this.#contents },
      caller,
      answer,
      input,
    )
    const shown = hits.map(({ hit, entry, excerpt, passageText }): EntryHit => {
      const presented = present(hit, entry as Entry, passageText ?? null, mode !== 'semantic', caller)
      return excerpt === undefined ? presented : { ...presented, excerpt }
    })
    return { hits: shown, ids: hits.map(({ hit }) => hit.id), isCut }
  }

  /** Entries nearest to the related-themes text of one, else nearest in meaning. Leaves out its translations. */
  async related(caller: Caller, id: string, limit: number): Promise<RelatedEntry[]> {
    const row = await findVisibleEntry(this.#database.queries, caller, id)
    if (row === null) throw notFound(['path', 'entry_id'], 'Entry')
    const vector = await findAnchor(this.#database.queries, ENTRY_EMBEDDING, row, caller.tenant.embeddingModel)
    if (vector === null) return []
    const filter: Filter = { all: [notExpired(), { not: { field: 'group', anyOf: [row.translation_group_id] } }] }
    const answer = await this.#engine.search({ ...requestOf(caller, vector, filter), limit })
    const { hits } = await pageSlots.run(caller.tenant.id, () => this.#present(caller, answer, false))
    return hits
  }

  async #filterOf(caller: Caller, input: EntrySearch): Promise<Filter> {
    await requireRestrictions(this.#database.queries, caller.tenant.id, input, 'body')
    if (!maySearchSite(caller, input.site_id ?? null)) throw referenceNotFound(['body', 'site_id'], 'Site')
    const all: Filter[] = [notExpired()]
    const equals = (field: string, value: string | null | undefined): void => {
      if (value !== null && value !== undefined) all.push({ field, anyOf: [value] })
    }
    if (input.category_id && input.include_descendants) {
      all.push({ field: 'category', anyOf: await this.#categories.subtree(caller, input.category_id) })
    } else {
      equals('category', input.category_id)
    }
    equals('type', input.type)
    equals('project', input.project_id)
    equals('site', input.site_id)
    equals('visibility', input.visibility)
    equals('layer', input.layer)
    equals('language', input.language ? languageKey(input.language) : null)
    if (input.tags && input.tags.length > 0) all.push({ field: 'tag', anyOf: input.tags })
    return { all }
  }

  /**
   * Reads the entries of one page of hits. The engine has checked that the caller may see them. The rows are checked
   * again, since they may have changed.
   */
  async #present(caller: Caller, { hits }: SearchAnswer, withScore: boolean): Promise<Presented> {
    const { queries } = this.#database
    const found = hits.map((hit) => hit.id)
    const bytes = await store.entryBytes(queries, caller.tenant.id, found)
    const page = pageOf(
      hits.map((hit) => ({ hit, bytes: bytes.get(hit.id) ?? 0 })),
      hits.length,
    )
    const rows = await store.findEntries(queries, caller.tenant.id, found.slice(0, page.length))
    const byId = new Map(rows.map((row) => [row.id, row]))
    const shown = page.flatMap(({ hit }) => {
      const row = byId.get(hit.id)
      return row === undefined || !maySee(caller, guardOf(row))
        ? []
        : [present(hit, entryOf(row), passageTextOf(hit, row.content), withScore, caller)]
    })
    const stored = page.reduce((sum, row) => sum + row.bytes, 0)
    const fitting = shown.slice(0, jsonCount(shown, stored))
    const ids = fitting.map((hit) => hit.entry.id)
    return { hits: fitting, ids, isCut: page.length < hits.length || fitting.length < shown.length }
  }
}

/** Whether a search has no hit, or on its first page by relevance only hits that match by chance. */
function findsNothing({ total, hits }: SearchAnswer, { sort, offset = 0 }: RichEntrySearch): boolean {
  return total === 0 || (offset === 0 && sort === undefined && hits.length > 0 && !hits.some(isMeant))
}

/** The search with the fields that this caller gets. @throws Fault invalid at each field that it may not have */
function shownTo<Search extends EntrySearch>(caller: Caller, input: Search, locOf: LocOf = inBody): Search {
  if (caller.publishable === undefined) return input
  return { ...input, fields: fieldsFor(caller, input.fields, PUBLIC_ENTRY_FIELDS, locOf('fields')) }
}

function requestOf(caller: Caller, vector: Float32Array | null, filter: Filter): SearchRequest {
  const { vectorWeight } = caller.tenant.settings
  return { ...newRequest(caller, ENTRY_INDEX, visibleFilter(caller)), vector, filter, vectorWeight }
}

/** An entry whose title is the query comes first. */
function pinOf(caller: Caller, query: string): Pick<SearchRequest, 'pin'> {
  const anyOf = titleKeysOf(query)
  if (anyOf.length === 0) return {}
  // More than coverage and any likely weight of the cosine give together.
  return { pin: { filter: { field: 'title', anyOf }, bonus: 1 + 4 * caller.tenant.settings.vectorWeight } }
}

/** Entries that have not expired by now. */
export function notExpired(): Filter {
  return { number: 'expires_at', above: Date.now(), below: null, orMissing: true }
}

/** @param passageText the passage that explains the hit; null without one */
function present(
  hit: SearchHit,
  entry: Entry,
  passageText: string | null,
  withScore: boolean,
  caller: Caller,
): EntryHit {
  const { explanation } = hit
  return {
    entry,
    similarity: hit.similarity,
    ...(withScore ? { score: hit.score } : {}),
    ...(hit.relevance === undefined ? {} : { relevance: hit.relevance }),
    ...(explanation === undefined
      ? {}
      : {
          explanation: {
            bm25: explanation.bm25,
            coverage: explanation.coverage,
            vector_weight: explanation.vectorWeight ?? caller.tenant.settings.vectorWeight,
            ...(explanation.instead === undefined ? {} : { instead_of_coverage: explanation.instead }),
            ...(explanation.pin === undefined ? {} : { title: explanation.pin }),
            terms: [...explanation.terms],
            passage:
              explanation.passage === null || passageText === null
                ? null
                : { ...explanation.passage, text: passageText },
          },
        }),
  }
}

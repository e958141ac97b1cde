import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/faults.ts'
import type { EngineForRequests, Filter } from '../../../search/engine.ts'
import type { Excerpt } from '../../../search/excerpts/excerpt.ts'
import type { PresentedHits } from '../../../search/hits/presented-hits.ts'
import type { SearchFacts } from '../../../search/hits/search-facts.ts'
import { findAnchor } from '../../../search/request/anchor.ts'
import type { Facet } from '../../../search/request/contract.ts'
import type { LocOf, SearchPlace } from '../../../search/request/place.ts'
import { visibleFilter } from '../../../search/request/visible-filter.ts'
import { type SearchRecorder, SectionSearch, type SelectionInput } from '../../../search/sections/section-search.ts'
import type { CategoryRules } from '../../categories/rules.ts'
import type { Entry, Explanation, RelatedEntry } from '../contract.ts'
import { ENTRY_EMBEDDING } from '../indexing/entry-embedding.ts'
import { findVisibleEntry } from '../visibility/visible-store.ts'
import { withSubtreeCounts } from './category-facets.ts'
import { type EntryPlan, entrySection, notExpired, type RichEntrySearch } from './entry-section.ts'

/** Hit as an object; `PresentedHits.objects` makes it. */
export interface EntryHit {
  /** Entry of the hit; with `fields`, with those fields alone. */
  entry: Entry
  similarity: number
  score?: number
  relevance?: number
  excerpt?: Excerpt
  explanation?: Explanation
}

interface EntrySearchResult extends SearchFacts {
  readonly hits: PresentedHits
  /** Number of entries that match. */
  readonly total: number
  readonly facets: readonly Facet[]
  /** Corrected query, where no relevant hit was found and the caller asks for relevance; else null. */
  readonly meant: string | null
}

interface EntrySearchParts {
  readonly database: Database
  readonly engine: EngineForRequests
  readonly embedders: EmbedderPool
  readonly categories: CategoryRules
  readonly log: SearchRecorder
}

export class EntrySearchRules {
  readonly #database: Database
  readonly #categories: CategoryRules
  readonly #section: SectionSearch<RichEntrySearch, EntryPlan, string>

  constructor({ database, engine, embedders, categories, log }: EntrySearchParts) {
    this.#database = database
    this.#categories = categories
    this.#section = new SectionSearch({ engine, embedders, log }, entrySection(database, categories))
  }

  /**
   * Searches entries by words, by meaning or by both.
   * @param language preferred language in a translation group; only used with `group_translations`
   * @throws Fault invalid where the filter, the order or the facets are faulty
   */
  async search(
    caller: Caller,
    search: RichEntrySearch,
    language: string,
    place: SearchPlace = {},
  ): Promise<EntrySearchResult> {
    const input = this.#section.withReadableFields(caller, search, place.locOf)
    const searched = await this.#section.find(caller, input, place, language)
    const facets = await withSubtreeCounts(caller, this.#categories, searched.compiledFacets, searched.facets)
    const hits = await this.#section.present(caller, searched)
    const facts = this.#section.record(caller, searched, hits.ids, place.logId)
    return { hits, total: searched.answer.total, facets, meant: searched.meant, ...facts }
  }

  /** Checks the filter, the order and the facets of a search without searching. @throws Fault like `search` */
  checkSelection(caller: Caller, selection: SelectionInput, locOf: LocOf): void {
    this.#section.checkSelection(caller, selection, locOf)
  }

  /**
   * Returns the entries nearest to the related-themes text of an entry, or, where it has none, nearest to it in
   * meaning. Leaves out its translations.
   * @throws Fault not_found where the caller sees no such entry
   */
  async related(caller: Caller, id: string, limit: number): Promise<RelatedEntry[]> {
    const { queries } = this.#database
    const row = await findVisibleEntry(queries, caller, id)
    if (row === null) throw notFound(['path', 'entry_id'], 'Entry')
    const vector = await findAnchor(queries, ENTRY_EMBEDDING, row, caller.tenant.embeddingModel)
    if (vector === null) return []
    const filter: Filter = { all: [notExpired(), { not: { field: 'group', anyOf: [row.translation_group_id] } }] }
    const visible = visibleFilter(caller)
    const hits = await this.#section.nearest(caller, { visible, filter, vector, limit })
    return hits.objects()
  }
}

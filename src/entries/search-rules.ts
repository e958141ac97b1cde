import type { Caller } from '../access/caller.ts'
import { maySee } from '../access/visibility.ts'
import type { CategoryRules } from '../categories/rules.ts'
import type { SearchLog } from '../clicks/search-log.ts'
import type { Database } from '../database/database.ts'
import type { EmbedderPool } from '../embedding/embedder-pool.ts'
import { notFound } from '../faults.ts'
import type { Filter, SearchAnswer, SearchEngine, SearchHit, SearchRequest } from '../search/engine.ts'
import { embedQuery } from '../search/query-vector.ts'
import { visibleFilter } from '../search/visible-filter.ts'
import { findAnchor } from './anchor.ts'
import type { EntrySearch, Explanation } from './contract.ts'
import { type Entry, entryOf, guardOf } from './entry.ts'
import { ENTRY_INDEX } from './index-source.ts'
import * as store from './store.ts'

export interface EntryHit {
  entry: Entry
  similarity: number
  score?: number
  explanation?: Explanation
}

export interface EntrySearchResult {
  readonly hits: EntryHit[]
  /** By which clicks on the hits name this search. */
  readonly logId: string
  /** Whether the provider of embeddings was down and keywords alone decided. */
  readonly degraded: boolean
  /** Milliseconds spent on the query's vector, on catching up, on searching and on reading the entries. */
  readonly timing: { readonly embed: number; readonly refresh: number; readonly search: number; readonly read: number }
}

const EVERYTHING: Filter = { all: [] }

export class EntrySearchRules {
  readonly #database: Database
  readonly #engine: SearchEngine
  readonly #embedders: EmbedderPool
  readonly #categories: CategoryRules
  readonly #log: Pick<SearchLog, 'record'>

  constructor(options: {
    database: Database
    engine: SearchEngine
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
   * @param language the caller's, to show a translation group by; only used with `group_translations`
   * @param logId of the combined search that this is a section of
   */
  async search(caller: Caller, input: EntrySearch, language: string, logId?: string): Promise<EntrySearchResult> {
    const mode = input.mode ?? 'semantic'
    const started = performance.now()
    const [{ vector, degraded }, filter] = await Promise.all([
      embedQuery(this.#embedders, caller.tenant.embeddingModel, input.query, mode),
      this.#filterOf(caller, input),
    ])
    const embedded = performance.now()
    const answer = await this.#engine.search({
      ...this.#request(caller, vector, filter),
      mode,
      query: input.query,
      offset: input.offset ?? 0,
      limit: input.limit ?? 10,
      minSimilarity: input.min_similarity ?? null,
      groups: input.group_translations ? { prefer: { field: 'language', anyOf: [language] } } : null,
      explain: input.explain ?? false,
    })
    const answered = performance.now()
    const hits = await this.#present(caller, answer, mode !== 'semantic')
    const read = performance.now() - answered
    const recordedId = this.#log.record({
      ...(logId === undefined ? {} : { id: logId }),
      caller,
      section: 'knowledge',
      siteId: input.site_id ?? null,
      mode,
      query: input.query,
      offset: input.offset ?? 0,
      hits: hits.length,
      shown: hits.map((hit) => hit.entry.id),
      durationMs: performance.now() - started,
    })
    return { hits, logId: recordedId, degraded, timing: { embed: embedded - started, ...answer.timing, read } }
  }

  /** The entries nearest to one: by its related-themes text, else by its meaning. Its translations are left out. */
  async related(caller: Caller, id: string, limit: number): Promise<EntryHit[]> {
    const row = await store.findEntry(this.#database.queries, caller.tenant.id, id)
    if (row === null || !maySee(caller, guardOf(row))) throw notFound(['path', 'entry_id'], 'Entry')
    const vector = await findAnchor(this.#database.queries, caller.tenant.id, id, caller.tenant.embeddingModel)
    if (vector === null) return []
    const filter: Filter = { all: [notExpired(), { not: { field: 'group', anyOf: [row.translation_group_id] } }] }
    const answer = await this.#engine.search({ ...this.#request(caller, vector, filter), limit })
    return this.#present(caller, answer, false)
  }

  #request(caller: Caller, vector: Float32Array | null, filter: Filter): SearchRequest {
    const { id, embeddingModel, watermark, settings } = caller.tenant
    return {
      version: { tenantId: id, index: ENTRY_INDEX.name, model: embeddingModel, watermark },
      mode: 'semantic',
      query: '',
      vector,
      visible: visibleFilter(caller),
      filter,
      offset: 0,
      limit: 10,
      minSimilarity: null,
      vectorWeight: settings.vectorWeight,
      groups: null,
      explain: false,
    }
  }

  async #filterOf(caller: Caller, input: EntrySearch): Promise<Filter> {
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
    equals('language', input.language)
    if (input.tags && input.tags.length > 0) all.push({ field: 'tag', anyOf: input.tags })
    return all.length === 0 ? EVERYTHING : { all }
  }

  /** Reads the hits' entries. The engine decided who may see them; a row that has changed since is judged again. */
  async #present(caller: Caller, answer: SearchAnswer, withScore: boolean): Promise<EntryHit[]> {
    const rows = await store.findEntries(
      this.#database.queries,
      caller.tenant.id,
      answer.hits.map((hit) => hit.id),
    )
    const byId = new Map(rows.map((row) => [row.id, row]))
    return answer.hits.flatMap((hit) => {
      const row = byId.get(hit.id)
      return row === undefined || !maySee(caller, guardOf(row)) ? [] : [present(hit, entryOf(row), withScore, caller)]
    })
  }
}

function notExpired(): Filter {
  return { number: 'expires_at', above: Date.now(), below: null, orMissing: true }
}

function present(hit: SearchHit, entry: Entry, withScore: boolean, caller: Caller): EntryHit {
  const { explanation } = hit
  return {
    entry,
    similarity: hit.similarity,
    ...(withScore ? { score: hit.score } : {}),
    ...(explanation === undefined
      ? {}
      : {
          explanation: {
            bm25: explanation.bm25,
            coverage: explanation.coverage,
            vector_weight: caller.tenant.settings.vectorWeight,
            terms: [...explanation.terms],
            passage:
              explanation.passage === null
                ? null
                : {
                    ...explanation.passage,
                    text: entry.content.slice(explanation.passage.start, explanation.passage.end),
                  },
          },
        }),
  }
}

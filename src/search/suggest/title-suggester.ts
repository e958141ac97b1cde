import { ClockCache } from '../hits/clock-cache.ts'
import { hasEach, type TitleSource, typedWords } from './completions.ts'
import type { Facets, SearchEngine, SearchRequest } from '../engine.ts'
import { type NameWords, nameWords } from '../analysis/name-words.ts'

/** Most documents of a suggestion, from whose titles completions are read. */
const TITLES_MAX = 40
/**
 * Most bytes of the cache of titles, for all tenants together. Without the cache a typed key cost 22 percent more
 * processor time, measured once when the cache was made.
 */
const CACHE_BYTES_MAX = 16 * 1_024 * 1_024

/** The values of a document that a suggestion shows. */
interface TitledRow {
  readonly id: string
  readonly seq: number
  readonly title: string
}

/** A document with the words of its title. */
interface TitledDocument<Row> {
  readonly row: Row
  readonly words: NameWords
}

interface Suggestions<Row> extends TitleSource {
  /** The hits, best first: those whose titles have all typed words come before the others. */
  readonly rows: readonly Row[]
  /** Absent if the request asks for no facets. */
  readonly facets?: Facets
}

/**
 * Finds documents for a text that is still being typed: by words alone, without a vector of the query, and with titles
 * instead of whole rows. Titles that have not changed since they were last shown are not read again.
 */
export class TitleSuggester<Row extends TitledRow> {
  readonly #engine: Pick<SearchEngine, 'search'>
  readonly #titles = new ClockCache<TitledDocument<Row>>(CACHE_BYTES_MAX, bytesOf)

  constructor(engine: Pick<SearchEngine, 'search'>) {
    this.#engine = engine
  }

  /**
   * Returns the documents for a typed text.
   * @param request names the documents that the caller may see, with the typed text as its query
   * @param rowsOf returns those of the documents that exist and that the caller may see, in any order
   */
  async find(
    request: SearchRequest,
    rowsOf: (ids: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<Suggestions<Row>> {
    const { tenantId } = request.version
    const { hits, facets, corrections } = await this.#engine.search({
      ...request,
      mode: 'keyword',
      limit: TITLES_MAX,
      fuzzy: true,
      prefixLast: true,
      everyWord: true,
      corrections: true,
    })
    const documents = new Map<string, TitledDocument<Row>>()
    for (const { id, seq } of hits) {
      const cached = this.#titles.get(tenantId, id, seq, null)
      if (cached !== null) documents.set(id, cached)
    }
    const missing = hits.filter(({ id }) => !documents.has(id)).map(({ id }) => id)
    for (const row of missing.length === 0 ? [] : await rowsOf(missing)) {
      const document = { row, words: nameWords(row.title) }
      this.#titles.put(tenantId, row.id, row.seq, null, document)
      documents.set(row.id, document)
    }
    const all = hits.flatMap(({ id }) => documents.get(id) ?? [])
    const typed = typedWords(request.query, corrections ?? [])
    const [named, others] = [true, false].map((isNamed) => all.filter(({ words }) => hasEach(words, typed) === isNamed))
    const sorted = [...named, ...others]
    return {
      rows: sorted.map(({ row }) => row),
      titles: sorted.map(({ words }) => words),
      corrections: corrections ?? [],
      ...(facets === undefined ? {} : { facets }),
    }
  }
}

/** Returns the approximate bytes of a cached document: of the row's texts, and of each word as written and folded. */
function bytesOf({ row, words }: TitledDocument<object>): number {
  let bytes = 0
  for (const value of Object.values(row)) bytes += 16 + (typeof value === 'string' ? 2 * value.length : 0)
  for (const list of [words.written, words.folded]) for (const word of list) bytes += 32 + 2 * word.length
  return bytes
}

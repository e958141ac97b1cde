import { ClockCache } from '../hits/clock-cache.ts'
import { hasEach, type TitleSource, typedWords } from './completions.ts'
import type { Facets, SearchEngine, SearchRequest } from '../engine.ts'
import { type NameWords, nameWords } from '../analysis/name-words.ts'

/** Titles of documents found that completions are read from. */
const TITLES_MAX = 40
/** Size of the cache of titles, for all tenants together. Without it a key cost 22 percent more processor time, measured once when it was made. */
const CACHE_BYTES_MAX = 16 * 1_024 * 1_024

/** What a suggestion shows of a document. */
interface TitledRow {
  readonly id: string
  readonly seq: number
  readonly title: string
}

interface Titled<Row> {
  readonly row: Row
  readonly words: NameWords
}

interface Suggested<Row> extends TitleSource {
  /** The documents found, best first: those whose titles have all typed words before the others. */
  readonly rows: readonly Row[]
  /** Absent if the request asked for none. */
  readonly facets?: Facets
}

/**
 * Finds the documents that a text begins, while it is being typed: by words alone, without the query's vector, and with
 * titles instead of whole rows. Titles that have not changed since they were last shown are not read again.
 */
export class TitleSuggester<Row extends TitledRow> {
  readonly #engine: Pick<SearchEngine, 'search'>
  readonly #titles = new ClockCache<Titled<Row>>(CACHE_BYTES_MAX, bytesOf)

  constructor(engine: Pick<SearchEngine, 'search'>) {
    this.#engine = engine
  }

  /**
   * @param request names what the caller may see, and the typed text as its query
   * @param rowsOf the documents among the ids that exist and may be shown, in any order
   */
  async find(
    request: SearchRequest,
    rowsOf: (ids: readonly string[]) => Promise<readonly Row[]>,
  ): Promise<Suggested<Row>> {
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
    const found = new Map<string, Titled<Row>>()
    for (const { id, seq } of hits) {
      const held = this.#titles.get(tenantId, id, seq, null)
      if (held !== null) found.set(id, held)
    }
    const missing = hits.filter(({ id }) => !found.has(id)).map(({ id }) => id)
    for (const row of missing.length === 0 ? [] : await rowsOf(missing)) {
      const titled = { row, words: nameWords(row.title) }
      this.#titles.put(tenantId, row.id, row.seq, null, titled)
      found.set(row.id, titled)
    }
    const all = hits.flatMap(({ id }) => found.get(id) ?? [])
    const typed = typedWords(request.query, corrections ?? [])
    const [named, others] = [true, false].map((isNamed) => all.filter(({ words }) => hasEach(words, typed) === isNamed))
    const shown = [...named, ...others]
    return {
      rows: shown.map(({ row }) => row),
      titles: shown.map(({ words }) => words),
      corrections: corrections ?? [],
      ...(facets === undefined ? {} : { facets }),
    }
  }
}

/** Approximate: the row's texts, and each word twice. */
function bytesOf({ row, words }: Titled<object>): number {
  let bytes = 0
  for (const value of Object.values(row)) bytes += 16 + (typeof value === 'string' ? 2 * value.length : 0)
  for (const list of [words.written, words.folded]) for (const word of list) bytes += 32 + 2 * word.length
  return bytes
}

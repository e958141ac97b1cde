import { fold } from '../analysis/folding.ts'
import { PARTITIONS, termOf } from '../analysis/partitions.ts'
import type { SearchAnswer, SearchEngine, SearchHit, SearchRequest } from '../engine.ts'

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Most documents in which the right spelling of a misspelt word is looked for. */
const HITS_MAX = 5

/** Reads texts of documents, by id. Documents that the caller may not see, or that lack the text, are absent. */
export interface SpellingSource {
  readonly titlesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Reads texts besides the titles, each up to the length that one query may read. */
  readonly textsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * Returns a query with its misspelt words corrected. A word that no document has takes the spelling of the nearest word
 * in a title, else in a text. The documents nearest to the whole query are read first, then those nearest to the word
 * alone.
 * @param request names the documents that the caller may see, and nothing about ranking
 * @returns null when no word was corrected, or no document shows how the right word is written
 */
export async function didYouMean(
  engine: Pick<SearchEngine, 'search'>,
  request: SearchRequest,
  query: string,
  source: SpellingSource,
): Promise<string | null> {
  const spellings = new Map<string, string>()
  /** Adds the spellings that the documents nearest to a text show. */
  const look = async (text: string): Promise<SearchAnswer> => {
    const keywords = { mode: 'keyword', vector: null, query: text, limit: HITS_MAX } as const
    const answer = await engine.search({ ...request, ...keywords, fuzzy: true, explain: true, corrections: true })
    for (const read of [source.titlesOf, source.textsOf]) {
      const terms = unspelledTerms(answer.hits, spellings)
      if (terms.length > 0) addSpellings(terms, await read(answer.hits.map(({ id }) => id)), spellings)
    }
    return answer
  }
  const { corrections = [] } = await look(query)
  for (const { typed } of corrections) if (!spellings.has(fold(typed))) await look(typed)
  if (spellings.size === 0) return null
  return query.replace(WORDS, (word) => spellings.get(fold(word)) ?? word)
}

/** A term of a document for which a word of the query was mistyped. */
interface CorrectedTerm {
  /** Id of the document. */
  readonly id: string
  readonly term: string
  /** The word as it was typed, folded. */
  readonly typed: string
}

/** Returns the corrected terms of hits whose spelling is not found yet, in the order of the hits. */
function unspelledTerms(hits: readonly SearchHit[], spellings: ReadonlyMap<string, string>): CorrectedTerm[] {
  return hits.flatMap(({ id, explanation }) =>
    (explanation?.terms ?? []).flatMap(({ term, typed }) =>
      typed === undefined || spellings.has(fold(typed)) ? [] : [{ id, term, typed: fold(typed) }],
    ),
  )
}

/** Adds the first spelling of each term that the texts show. @param spellings by the typed word, folded */
function addSpellings(
  terms: readonly CorrectedTerm[],
  texts: ReadonlyMap<string, string>,
  spellings: Map<string, string>,
): void {
  const words = new Map<string, readonly string[]>()
  for (const { id, term, typed } of terms) {
    if (spellings.has(typed)) continue
    const wordsOfText = words.get(id) ?? [...new Set(texts.get(id)?.match(WORDS))]
    words.set(id, wordsOfText)
    const spelling = wordsOfText.find((word) => isTerm(fold(word), term))
    if (spelling !== undefined) spellings.set(typed, spelling)
  }
}

function isTerm(folded: string, term: string): boolean {
  // No partition changes the first letter of a word. Comparing it first saves most of the work in a long text.
  return folded[0] === term[0] && PARTITIONS.some((each) => termOf(each, folded) === term)
}

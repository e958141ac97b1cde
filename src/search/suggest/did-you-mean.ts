import { fold } from '../analysis/folding.ts'
import { PARTITIONS, termOf } from '../analysis/partitions.ts'
import type { SearchAnswer, SearchEngine, SearchHit, SearchRequest } from '../engine.ts'

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
/** Documents in which the right spelling of a misspelt word is looked for. */
const HITS_MAX = 5

/** Reads what a caller may see of documents. Absent are those that it may not see, or that have no such text. */
export interface SpellingSource {
  readonly titlesOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Texts as long as may be read for one query. */
  readonly textsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}

/**
 * What a query was probably meant to say: each of its words that no document has, in the spelling of the nearest word
 * in a title, else in a text. First the documents that are nearest to the whole query say it, then those that are
 * nearest to the word alone.
 * @param request names what the caller may see, and nothing of how to rank
 * @returns null when no word was corrected, or no document shows how the right one is written
 */
export async function didYouMean(
  engine: Pick<SearchEngine, 'search'>,
  request: SearchRequest,
  query: string,
  source: SpellingSource,
): Promise<string | null> {
  const spellings = new Map<string, string>()
  const look = async (asked: string): Promise<SearchAnswer> => {
    const nearest = { mode: 'keyword', vector: null, query: asked, limit: HITS_MAX } as const
    const answer = await engine.search({ ...request, ...nearest, fuzzy: true, explain: true, corrections: true })
    for (const read of [source.titlesOf, source.textsOf]) {
      const wanted = wantedOf(answer.hits, spellings)
      if (wanted.length > 0) spell(wanted, await read(answer.hits.map(({ id }) => id)), spellings)
    }
    return answer
  }
  const { corrections = [] } = await look(query)
  for (const { typed } of corrections) if (!spellings.has(fold(typed))) await look(typed)
  if (spellings.size === 0) return null
  return query.replace(WORDS, (word) => spellings.get(fold(word)) ?? word)
}

/** A term of a document that a word of the query was taken for. */
interface Wanted {
  readonly id: string
  readonly term: string
  /** The word as it was typed, folded. */
  readonly typed: string
}

/** What is still to be spelt, in the order of the hits. */
function wantedOf(hits: readonly SearchHit[], spellings: ReadonlyMap<string, string>): Wanted[] {
  return hits.flatMap(({ id, explanation }) =>
    (explanation?.terms ?? []).flatMap(({ term, typed }) =>
      typed === undefined || spellings.has(fold(typed)) ? [] : [{ id, term, typed: fold(typed) }],
    ),
  )
}

/** Adds the spellings that texts show; of several the first. */
function spell(wanted: readonly Wanted[], texts: ReadonlyMap<string, string>, spellings: Map<string, string>): void {
  const words = new Map<string, readonly string[]>()
  for (const { id, term, typed } of wanted) {
    if (spellings.has(typed)) continue
    const own = words.get(id) ?? [...new Set(texts.get(id)?.match(WORDS))]
    words.set(id, own)
    const spelling = own.find((word) => isTerm(fold(word), term))
    if (spelling !== undefined) spellings.set(typed, spelling)
  }
}

function isTerm(folded: string, term: string): boolean {
  // No partition changes the first letter, which spares a long text most of the work.
  return folded[0] === term[0] && PARTITIONS.some((each) => termOf(each, folded) === term)
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { RELEVANT } from '../../../../src/search/ranking/relevance.ts'
import { answerOf, type AnswerOf, api, ApiFault } from '../../api/client.ts'
import type { EntrySearch } from './entry-search.ts'

export type ListedEntry = AnswerOf<'/api/knowledge/knowledge-entries', 'get'>[number]
export interface Hit extends Omit<AnswerOf<'/api/knowledge/knowledge-entries/search', 'post'>[number], 'entry'> {
  readonly entry: Pick<ListedEntry, (typeof SHOWN)[number] | 'category_path'>
}

export interface SearchAnswer {
  readonly hits: readonly Hit[]
  /** Whether all hits may match by chance. */
  readonly isWeak: boolean
  /** Query of this answer, which may be older than the typed one. */
  readonly query: string
  /** Id of this search, sent when a hit is opened; null when searches are not logged. */
  readonly logId: string | null
  /** Query that was probably meant, if there is no relevant hit. */
  readonly didYouMean: string | null
}

export const HITS = 20
const NEWEST = 6
/** Most hits that are shown where all match by chance. */
const WEAK_HITS = 5
const EXCERPT_CHARACTERS = 240
const SHOWN = ['id', 'title', 'type', 'summary', 'language', 'visibility', 'tags', 'updated_at', 'category_id'] as const

/**
 * Returns the query for a search. Its key is the whole question, so an answer that comes late cannot take the place of
 * a newer one.
 */
export const searchQuery = (entrySearch: EntrySearch & { readonly q: string }) =>
  queryOptions({
    queryKey: ['search', entrySearch],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<SearchAnswer> => {
      const { q, type, language, category, tag } = entrySearch
      const call = api.POST('/api/knowledge/knowledge-entries/search', {
        signal,
        body: {
          query: q,
          limit: HITS,
          mode: 'hybrid',
          prefix: true,
          typo_tolerance: true,
          relevance: true,
          include_category_path: true,
          excerpt: { length: EXCERPT_CHARACTERS },
          fields: [...SHOWN],
          type: type ?? null,
          language: language ?? null,
          category_id: category ?? null,
          include_descendants: true,
          tags: tag === undefined ? null : [tag],
        },
      })
      const { hits, isWeak } = worthShowing((await answerOf(call)) as readonly Hit[])
      const { headers } = (await call).response
      const suggestion = headers.get('x-did-you-mean')
      return {
        hits,
        isWeak,
        query: q,
        logId: headers.get('x-search-log-id'),
        didYouMean: suggestion === null ? null : decoded(suggestion),
      }
    },
    retry: (count, error) => count < 1 && !(error instanceof ApiFault && error.status < 500),
  })

/**
 * Returns the hits down to the last relevant one; without a relevant hit, the first few that have a word or a meaning
 * in common. No hit in between is left out by its own relevance, since one that stands out among all entries ranks
 * first even with a low relevance.
 */
function worthShowing(hits: readonly Hit[]): Pick<SearchAnswer, 'hits' | 'isWeak'> {
  const last = hits.findLastIndex(({ relevance = 0 }) => relevance >= RELEVANT)
  if (last >= 0) return { hits: hits.slice(0, last + 1), isWeak: false }
  const weak = hits.filter(({ relevance = 0 }) => relevance > 0).slice(0, WEAK_HITS)
  return { hits: weak, isWeak: weak.length > 0 }
}

/** The newest entries, shown before the first query. */
export const newestQuery = queryOptions({
  queryKey: ['entries', 'newest'],
  queryFn: ({ signal }) =>
    answerOf(
      api.GET('/api/knowledge/knowledge-entries', {
        signal,
        params: { query: { limit: NEWEST, include_category_path: true } },
      }),
    ),
})

/** Tells the service that a hit was opened. The page does not wait for the answer, and ignores a failure. */
export function logClick(logId: string, entryId: string, rank: number): void {
  const body = { search_log_id: logId, action: 'click', section: 'knowledge', product_id: entryId, rank }
  void api.POST('/api/knowledge/search/clicks', { body, keepalive: true }).catch(() => {})
}

/** Decodes the value of a header, in which characters outside of ASCII are percent-encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answerOf, type AnswerOf, api, ApiFault } from '../../api/client.ts'
import type { Asked } from './asked.ts'

export type Hit = AnswerOf<'/api/knowledge/knowledge-entries/search', 'post'>[number]
export type ListedEntry = AnswerOf<'/api/knowledge/knowledge-entries', 'get'>[number]

export interface Found {
  readonly hits: readonly Hit[]
  /** The query that was answered, which may be older than what is typed. */
  readonly query: string
  /** Names this search when a hit is opened; null when searches are not logged. */
  readonly logId: string | null
  /** What was probably meant, if nothing was found. */
  readonly didYouMean: string | null
}

export const HITS = 20
const NEWEST = 6
/** Leaves out what matches by chance. */
const RELEVANCE_MIN = 0.2
const EXCERPT_CHARACTERS = 240
const SHOWN = ['id', 'title', 'type', 'summary', 'language', 'visibility', 'tags', 'updated_at', 'category_id'] as const

/** A search. What it asks is its key, so an answer that comes late cannot take the place of a newer one. */
export const searchQuery = (asked: Asked & { readonly q: string }) =>
  queryOptions({
    queryKey: ['search', asked],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Found> => {
      const { q, type, language, category, tag } = asked
      const call = api.POST('/api/knowledge/knowledge-entries/search', {
        signal,
        body: {
          query: q,
          limit: HITS,
          mode: 'hybrid',
          prefix: true,
          typo_tolerance: true,
          min_relevance: RELEVANCE_MIN,
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
      const hits = await answerOf(call)
      const { headers } = (await call).response
      const meant = headers.get('x-did-you-mean')
      return {
        hits,
        query: q,
        logId: headers.get('x-search-log-id'),
        didYouMean: meant === null ? null : decoded(meant),
      }
    },
    retry: (count, error) => count < 1 && !(error instanceof ApiFault && error.status < 500),
  })

/** What was written last, for those who have not asked yet. */
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

/** Tells the service that a hit was opened. Nobody waits for it, and its failure is nobody's concern. */
export function logClick(logId: string, entryId: string, rank: number): void {
  const body = { search_log_id: logId, action: 'click', section: 'knowledge', product_id: entryId, rank }
  void api.POST('/api/knowledge/search/clicks', { body, keepalive: true }).catch(() => {})
}

/** Headers carry other letters than ASCII percent-encoded. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

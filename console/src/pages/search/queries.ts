import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { RELEVANT } from '../../../../src/search/ranking/relevance.ts'
import { answerOf, type AnswerOf, api, ApiFault } from '../../api/client.ts'
import type { Asked } from './asked.ts'

export type ListedEntry = AnswerOf<'/api/knowledge/knowledge-entries', 'get'>[number]
export interface Hit extends Omit<AnswerOf<'/api/knowledge/knowledge-entries/search', 'post'>[number], 'entry'> {
  readonly entry: Pick<ListedEntry, (typeof SHOWN)[number] | 'category_path'>
}

export interface Found {
  readonly hits: readonly Hit[]
  /** Whether each hit may match by chance. */
  readonly isWeak: boolean
  /** The query that was answered, which may be older than what is typed. */
  readonly query: string
  /** Names this search when a hit is opened; null when searches are not logged. */
  readonly logId: string | null
  /** What was probably meant, if nothing relevant was found. */
  readonly didYouMean: string | null
}

export const HITS = 20
const NEWEST = 6
/** Hits that are shown where all match by chance. */
const WEAK_HITS = 5
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
      const meant = headers.get('x-did-you-mean')
      return {
        hits,
        isWeak,
        query: q,
        logId: headers.get('x-search-log-id'),
        didYouMean: meant === null ? null : decoded(meant),
      }
    },
    retry: (count, error) => count < 1 && !(error instanceof ApiFault && error.status < 500),
  })

/**
 * The hits down to the last relevant one; where none is, the first few that have a word or a meaning in common. No hit in between is left out
 * by its own relevance, since what stands out among all entries ranks first even with a low one.
 */
function worthShowing(hits: readonly Hit[]): Pick<Found, 'hits' | 'isWeak'> {
  const last = hits.findLastIndex(({ relevance = 0 }) => relevance >= RELEVANT)
  if (last >= 0) return { hits: hits.slice(0, last + 1), isWeak: false }
  const weak = hits.filter(({ relevance = 0 }) => relevance > 0).slice(0, WEAK_HITS)
  return { hits: weak, isWeak: weak.length > 0 }
}

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

import { answerOf, type AnswerOf, api, onePage } from '../../api/client.ts'

export type BinnedEntry = AnswerOf<'/api/knowledge/bin', 'get'>[number]

const PAGE_SIZE = 50

/** The bin in pages, for `useCursorPages`: the entry that was deleted last comes first. */
export const binPages = {
  key: ['entries', 'bin'],
  pageSize: PAGE_SIZE,
  ask: (cursor: string | null, signal: AbortSignal) =>
    onePage<BinnedEntry>(
      api.GET('/api/knowledge/bin', { signal, params: { query: { limit: PAGE_SIZE, cursor: cursor ?? undefined } } }),
    ),
}

/** Deletes an entry for good. */
export const purgeEntry = ({ id }: Pick<BinnedEntry, 'id'>): Promise<unknown> =>
  answerOf(api.DELETE('/api/knowledge/bin/{entry_id}', { params: { path: { entry_id: id } } }))

import { answerOf, type AnswerOf, api, onePage } from '../../api/client.ts'
import { bodyOf, type EntryFields, fieldsOf } from '../../api/entry-fields.ts'
import type { EntryFilters } from './filters.ts'

export type ListedEntry = AnswerOf<'/api/knowledge/knowledge-entries', 'get'>[number]

const ENTRIES = '/api/knowledge/knowledge-entries'
const PAGE_SIZE = 50

/** Returns the list in pages, for `useCursorPages`. */
export function entryPages(filters: EntryFilters) {
  const { type, visibility, language, category, tag } = filters
  return {
    key: ['entries', 'list', filters],
    pageSize: PAGE_SIZE,
    ask: (cursor: string | null, signal: AbortSignal) =>
      onePage<ListedEntry>(
        api.GET(ENTRIES, {
          signal,
          params: {
            query: {
              limit: PAGE_SIZE,
              include_category_path: true,
              include_total: true,
              type,
              visibility,
              language,
              category_id: category,
              tag: tag === undefined ? undefined : [tag],
              cursor: cursor ?? undefined,
            },
          },
        }),
      ),
  }
}

/** Changes an entry as it was listed. @throws ApiFault with 412 when another person has changed it since */
export const changeEntry = (entry: ListedEntry, some: Partial<EntryFields>): Promise<unknown> =>
  answerOf(
    api.PATCH(`${ENTRIES}/{entry_id}`, {
      params: { path: { entry_id: entry.id }, header: { 'If-Match': `"${entry.version}"` } },
      body: bodyOf({ ...fieldsOf(entry), ...some }, Object.keys(some) as (keyof EntryFields)[]),
    }),
  )

/** Deletes all of the entries, or none of them. */
export const deleteEntries = (ids: readonly string[]): Promise<unknown> =>
  answerOf(api.POST(`${ENTRIES}/bulk-delete`, { body: { entry_ids: [...ids] } }))

/** Adds all of the entries to a project, or none of them. */
export const addToProject = (projectId: string, ids: readonly string[]): Promise<unknown> =>
  answerOf(
    api.POST('/api/knowledge/projects/{project_id}/entries', {
      params: { path: { project_id: projectId } },
      body: { entry_ids: [...ids] },
    }),
  )

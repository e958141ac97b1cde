import { type AnswerOf, answerOf, api, onePage } from '../../api/client.ts'
import type { CursorPage } from '../../parts/tables/use-cursor-pages.ts'

type Entry = AnswerOf<'/api/knowledge/knowledge-entries', 'get'>[number]
export type ShownEntry = Pick<Entry, 'id' | 'title' | 'language' | 'updated_at'>

export const PAGE_SIZE = 100

type EntryGroup = 'projects' | 'sites'

/** Reads a page of the entries of a project or site. */
export function entriesIn(
  kind: EntryGroup,
  id: string,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CursorPage<ShownEntry>> {
  const page = { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) }
  return onePage<ShownEntry>(
    kind === 'projects'
      ? api.GET('/api/knowledge/knowledge-entries', {
          params: { query: { ...page, project_id: id, include_total: true } },
          signal,
        })
      : api.GET('/api/knowledge/sites/{site_id}/knowledge', { params: { path: { site_id: id }, query: page }, signal }),
  )
}

export const addEntry = (kind: EntryGroup, id: string, entryId: string): Promise<unknown> => {
  const body = { entry_ids: [entryId] }
  return kind === 'projects'
    ? answerOf(api.POST('/api/knowledge/projects/{project_id}/entries', { params: { path: { project_id: id } }, body }))
    : answerOf(api.POST('/api/knowledge/sites/{site_id}/knowledge', { params: { path: { site_id: id } }, body }))
}

export const takeOutEntry = (kind: EntryGroup, id: string, entryId: string): Promise<unknown> =>
  kind === 'projects'
    ? answerOf(
        api.DELETE('/api/knowledge/projects/{project_id}/entries/{entry_id}', {
          params: { path: { project_id: id, entry_id: entryId } },
        }),
      )
    : answerOf(
        api.DELETE('/api/knowledge/sites/{site_id}/knowledge/{entry_id}', {
          params: { path: { site_id: id, entry_id: entryId } },
        }),
      )

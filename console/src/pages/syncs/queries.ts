import { type AnswerOf, answerOf, api, cursorIn } from '../../api/client.ts'
import type { CursorPage } from '../../parts/tables/use-cursor-pages.ts'

export type Run = AnswerOf<'/api/knowledge/sites/{site_id}/sync-runs', 'get'>[number]

export const PAGE = 25

export async function askRuns(siteId: string, cursor: string | null, signal: AbortSignal): Promise<CursorPage<Run>> {
  const call = api.GET('/api/knowledge/sites/{site_id}/sync-runs', {
    signal,
    params: { path: { site_id: siteId }, query: { limit: PAGE, ...(cursor === null ? {} : { cursor }) } },
  })
  const rows = await answerOf(call)
  return { rows, next: cursorIn((await call).response), total: null }
}

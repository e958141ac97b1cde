import { type AnswerOf, answerOf, api, cursorIn } from '../../api/client.ts'
import type { CursorPage } from '../../parts/tables/use-cursor-pages.ts'
import { type Asked, queryOf } from './asked.ts'

export type AuditRecord = AnswerOf<'/api/knowledge/audit-records', 'get'>[number]

export const PAGE_SIZE = 50

/** A page of records, newest first. */
export async function recordsPage(
  asked: Asked,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CursorPage<AuditRecord>> {
  const query = { ...queryOf(asked), limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) }
  const call = api.GET('/api/knowledge/audit-records', { signal, params: { query } })
  return { rows: await answerOf(call), next: cursorIn((await call).response), total: null }
}

/** Address of the file with every record that the filters leave. The browser writes it as it comes. */
export function exportAddress(asked: Asked, format: 'csv' | 'jsonl'): string {
  const query = Object.entries({ ...queryOf(asked), format })
  return `/api/knowledge/audit-records/export?${new URLSearchParams(query).toString()}`
}

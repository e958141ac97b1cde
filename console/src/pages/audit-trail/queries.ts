import { type AnswerOf, answerOf, api, cursorIn } from '../../api/client.ts'
import type { CursorPage } from '../../parts/tables/use-cursor-pages.ts'
import { type AuditFilters, queryOf } from './audit-filters.ts'

export type AuditRecord = AnswerOf<'/api/knowledge/audit-records', 'get'>[number]

export const PAGE_SIZE = 50

/** Reads a page of records, the newest first. */
export async function recordsPage(
  filters: AuditFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CursorPage<AuditRecord>> {
  const query = { ...queryOf(filters), limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) }
  const call = api.GET('/api/knowledge/audit-records', { signal, params: { query } })
  return { rows: await answerOf(call), next: cursorIn((await call).response), total: null }
}

/**
 * Returns the address of the file with every record that passes the filters. The browser writes the file as it arrives.
 */
export function exportAddress(filters: AuditFilters, format: 'csv' | 'jsonl'): string {
  const query = Object.entries({ ...queryOf(filters), format })
  return `/api/knowledge/audit-records/export?${new URLSearchParams(query).toString()}`
}

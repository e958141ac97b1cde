import { answerOf, api, everyPage } from '../../api/client.ts'
import type { LineResult } from './import-run.ts'
// JavaScript on purpose; its first lines say why.
import type { CategoryAccess } from './shared.js'

/** Sends lines to the service. @returns the outcome of each line, in order */
export async function sendLines(
  lines: readonly string[],
  isDryRun: boolean,
  signal: AbortSignal,
): Promise<readonly LineResult[]> {
  // The generated client has no types for NDJSON, neither for the body nor for the answer.
  const text = await answerOf(
    api.POST('/api/knowledge/knowledge-entries/bulk', {
      params: { query: { dry_run: isDryRun } },
      body: lines.join('\n') as never,
      bodySerializer: (body: unknown) => body as string,
      headers: { 'content-type': 'application/x-ndjson' },
      parseAs: 'text',
      signal,
    }) as Promise<{ data?: string; error?: unknown; response: Response }>,
  )
  return (text as string)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LineResult)
}

/** Access to the categories by the API. */
export const categoryAccess: CategoryAccess = {
  list: () => everyPage((query) => api.GET('/api/knowledge/categories', { params: { query } })),
  create: (body) => answerOf(api.POST('/api/knowledge/categories', { body })),
  update: (id, body) =>
    answerOf(api.PATCH('/api/knowledge/categories/{category_id}', { params: { path: { category_id: id } }, body })),
}

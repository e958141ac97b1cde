import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type AnswerOf, answerOf, cursorIn } from '../../api/client.ts'
import { operatorApi } from '../../api/operator.ts'
import type { CursorPage } from '../../parts/tables/use-cursor-pages.ts'

export type Tenant = AnswerOf<'/api/operator/tenants/{tenant_id}', 'get'>
export type TenantUsage = AnswerOf<'/api/operator/usage', 'get'>[number]
export type UsageByDay = AnswerOf<'/api/operator/tenants/{tenant_id}/usage', 'get'>
export type InstallationStatus = AnswerOf<'/api/operator/status', 'get'>
export type LogItem = AnswerOf<'/api/operator/log', 'get'>[number]

export const PAGE_SIZE = 50

const REMOVING_MS = 3_000
/**
 * Time before a planned removal from which on the tenant is read often; a removal begins up to ten seconds after its
 * time.
 */
const ENDING_MS = 60_000

/** Tells whether a tenant is being removed, or about to be. */
const isEnding = ({ state, remove_at: at }: Tenant): boolean =>
  state === 'removing' || (at !== null && Date.parse(at) - Date.now() < ENDING_MS)

/** Returns the query for one tenant. While the tenant is being removed, it is read again until it is gone. */
export const tenantQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'tenants', id],
    queryFn: ({ signal }) =>
      answerOf(operatorApi.GET('/api/operator/tenants/{tenant_id}', { signal, params: { path: { tenant_id: id } } })),
    refetchInterval: ({ state: { data, error } }) =>
      data !== undefined && error === null && isEnding(data) ? REMOVING_MS : false,
  })

/** Returns the query for what one tenant has, and what it used this month. */
export const usageQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'usage-of', id],
    queryFn: ({ signal }) =>
      answerOf(
        operatorApi.GET('/api/operator/tenants/{tenant_id}/usage', { signal, params: { path: { tenant_id: id } } }),
      ),
  })

/** Returns the query for the quotas of one tenant, and its use. */
export const quotasQuery = (id: string) =>
  queryOptions({
    queryKey: ['operator', 'quotas-of', id],
    queryFn: ({ signal }) =>
      answerOf(
        operatorApi.GET('/api/operator/tenants/{tenant_id}/quotas', { signal, params: { path: { tenant_id: id } } }),
      ),
  })

/** Reads a page of the operators' log, the newest first. */
export async function logPage(cursor: string | null, signal: AbortSignal): Promise<CursorPage<LogItem>> {
  const query = { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) }
  const call = operatorApi.GET('/api/operator/log', { signal, params: { query } })
  return { rows: await answerOf(call), next: cursorIn((await call).response), total: null }
}

/** Shows a changed tenant at once, and lets lists be read again. */
export function showTenant(queries: QueryClient, tenant: Tenant): void {
  queries.setQueryData(tenantQuery(tenant.id).queryKey, tenant)
  void queries.invalidateQueries({ queryKey: ['operator', 'list'] })
  void queries.invalidateQueries({ queryKey: ['operator', 'log'] })
}

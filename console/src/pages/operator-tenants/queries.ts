import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, ApiFault, cursorIn } from '../../api/client.ts'
import { operatorApi } from '../../api/operator.ts'
import type { components } from '../../api/schema.d.ts'
import type { CursorPage } from '../../parts/tables/use-cursor-pages.ts'
import { PAGE_SIZE, type Tenant, type TenantUsage } from '../operator/queries.ts'
import { type TenantFilters, daysOf } from './tenant-filters.ts'

export interface TenantRow {
  readonly tenant: Tenant
  /** Use of the tenant; null for one that was created a moment ago. */
  readonly usage: TenantUsage | null
}

const usageQueryOf = ({ q, state, month }: TenantFilters) => ({
  q,
  state,
  ...(month === undefined ? {} : daysOf(month)),
})

/** Reads a page of tenants, each with what it has and used. */
export async function tenantsPage(
  filters: TenantFilters,
  cursor: string | null,
  signal: AbortSignal,
): Promise<CursorPage<TenantRow>> {
  const page = { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) }
  const { q, state } = filters
  const tenants = operatorApi.GET('/api/operator/tenants', { signal, params: { query: { q, state, ...page } } })
  const usage = operatorApi.GET('/api/operator/usage', {
    signal,
    params: { query: { ...usageQueryOf(filters), ...page } },
  })
  const [rows, usages] = await Promise.all([answerOf(tenants), answerOf(usage)])
  const byTenant = new Map(usages.map((each) => [each.tenant_id, each]))
  return {
    rows: rows.map((tenant) => ({ tenant, usage: byTenant.get(tenant.id) ?? null })),
    next: cursorIn((await tenants).response),
    total: null,
  }
}

/** Returns the use of all tenants that pass the filters, as CSV. @throws ApiFault */
export async function usageCsv(filters: TenantFilters): Promise<string> {
  let text = ''
  let cursor: string | null = null
  do {
    const query = { ...usageQueryOf(filters), format: 'csv' as const, ...(cursor === null ? {} : { cursor }) }
    const { data, response } = await operatorApi.GET('/api/operator/usage', { params: { query }, parseAs: 'text' })
    if (!response.ok) throw new ApiFault(response, [])
    const lines = String(data)
    text += text === '' ? lines : lines.slice(lines.indexOf('\n') + 1)
    cursor = cursorIn(response)
  } while (cursor !== null)
  return text
}

type NewTenant = components['schemas']['OperatedTenantCreate']
export type CreatedTenant = AnswerOf<'/api/operator/tenants', 'post', 201>

const createTenant = (body: NewTenant): Promise<CreatedTenant> =>
  answerOf(operatorApi.POST('/api/operator/tenants', { body }))

export function useCreateTenant() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: createTenant,
    // The answer has a password; nothing may keep it.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['operator', 'list'] }),
  })
}

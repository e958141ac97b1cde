import { useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf } from '../../api/client.ts'
import { operatorApi } from '../../api/operator.ts'
import { showTenant } from '../operator/queries.ts'

/** Suspends or resumes a tenant, or cancels its removal. */
export function useTurn(tenantId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (turn: 'suspend' | 'resume' | 'keep') => {
      const params = { path: { tenant_id: tenantId } }
      if (turn === 'suspend') return answerOf(operatorApi.POST('/api/operator/tenants/{tenant_id}/suspend', { params }))
      if (turn === 'resume') return answerOf(operatorApi.POST('/api/operator/tenants/{tenant_id}/resume', { params }))
      return answerOf(operatorApi.POST('/api/operator/tenants/{tenant_id}/keep', { params }))
    },
    onSuccess: (tenant) => showTenant(queries, tenant),
  })
}

/** Plans the removal of a suspended tenant. */
export function useRemove(tenantId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (graceDays: number) =>
      answerOf(
        operatorApi.DELETE('/api/operator/tenants/{tenant_id}', {
          params: { path: { tenant_id: tenantId }, query: { grace_days: graceDays } },
        }),
      ),
    onSuccess: (tenant) => showTenant(queries, tenant),
  })
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { grantsQuery } from '../../api/oauth-clients.ts'

/** Beginning of the keys of all queries for the tenant's settings. */
export const SETTINGS = ['tenant-settings'] as const

export const tenantSettingsQuery = queryOptions({
  queryKey: [...SETTINGS, 'plain'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/tenant-settings', { signal })),
})

/** Pause between two looks for new grants, while the page is open. */
const LOOK_EVERY_MS = 3_000

/** Grants of the organisation, read again and again while the page is open. */
export const liveGrantsQuery = queryOptions({
  ...grantsQuery,
  refetchInterval: LOOK_EVERY_MS,
  refetchOnWindowFocus: 'always',
})

/** Lets assistants register themselves, or only those that hold an API key. */
export function useLetAssistants() {
  const queries = useQueryClient()
  return useMutation({
    scope: { id: 'tenant-settings' },
    mutationFn: (isOpen: boolean) =>
      answerOf(api.PATCH('/api/knowledge/tenant-settings', { body: { oauth_registration: isOpen ? 'open' : 'key' } })),
    onSettled: () => queries.invalidateQueries({ queryKey: SETTINGS }),
  })
}

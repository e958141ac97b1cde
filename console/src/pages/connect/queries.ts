import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { answerOf, api } from '../../api/client.ts'
import { grantsQuery } from '../../api/oauth-clients.ts'

/** Begins the key of everything that is known of the tenant's settings. */
export const SETTINGS = ['tenant-settings'] as const

export const tenantSettingsQuery = queryOptions({
  queryKey: [...SETTINGS, 'plain'],
  queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/tenant-settings', { signal })),
})

/** How often somebody who connects an assistant is told about it. */
const LOOK_EVERY_MS = 3_000

/** What is connected, asked again and again while somebody looks. */
export const liveGrantsQuery = queryOptions({
  ...grantsQuery,
  refetchInterval: LOOK_EVERY_MS,
  refetchOnWindowFocus: 'always',
})

/** Lets assistants register themselves, or only those who hold an API key. */
export function useLetAssistants() {
  const queries = useQueryClient()
  return useMutation({
    scope: { id: 'tenant-settings' },
    mutationFn: (isOpen: boolean) =>
      answerOf(api.PATCH('/api/knowledge/tenant-settings', { body: { oauth_registration: isOpen ? 'open' : 'key' } })),
    onSettled: () => queries.invalidateQueries({ queryKey: SETTINGS }),
  })
}

import { queryOptions, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type AnswerOf, answerOf, api, ApiFault } from '../../api/client.ts'
import { proved } from '../../api/proved.ts'
import { grantsQuery } from '../../api/oauth-clients.ts'
import { sessionQuery } from '../../api/session.ts'
import { SETTINGS, tenantSettingsQuery } from '../connect/queries.ts'
import { SAMPLE_REFERENCE, type SampleLine } from './sample/line.ts'
import type { Step } from './step-names.ts'

/** The name that the first start gives the first tenant. */
const UNNAMED = 'Default'

const anyEntryQuery = queryOptions({
  queryKey: ['entries', 'any'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/knowledge/knowledge-entries', { signal, params: { query: { limit: 1 } } }))).length >
    0,
})

const anySearchQuery = queryOptions({
  queryKey: ['analytics', 'any'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/knowledge/analytics/search', { signal, params: { query: { limit: 1 } } }))).total
      .searches > 0,
})

const othersQuery = queryOptions({
  queryKey: ['users', 'others'],
  queryFn: async ({ signal }) => {
    const [users, invitations] = await Promise.all([
      answerOf(api.GET('/api/knowledge/users', { signal, params: { query: { limit: 2 } } })),
      answerOf(api.GET('/api/knowledge/invitations', { signal, params: { query: { limit: 1 } } })),
    ])
    return users.length + invitations.length > 1
  },
})

/**
 * Reads which steps are done. The state of the organisation tells it, so nothing has to be stored, and other devices
 * show the same.
 */
export function useDone(): {
  readonly done: Readonly<Record<Step, boolean>> | null
  readonly error: unknown
  readonly retry: () => void
} {
  const all = useQueries({ queries: [tenantSettingsQuery, anyEntryQuery, anySearchQuery, othersQuery, grantsQuery] })
  const [settings, content, search, invite, grants] = all
  const failed = all.find(({ isError, data }) => isError && data === undefined)
  const areAllLoaded =
    settings.data !== undefined &&
    content.data !== undefined &&
    search.data !== undefined &&
    invite.data !== undefined &&
    grants.data !== undefined
  return {
    done: areAllLoaded
      ? {
          name: settings.data.name !== UNNAMED,
          content: content.data,
          search: search.data,
          invite: invite.data,
          assistant: grants.data.length > 0,
        }
      : null,
    error: failed?.error ?? null,
    retry: () => {
      for (const query of all) if (query.isError) void query.refetch()
    },
  }
}

/** Changes the name and the language of the organisation. */
export function useNaming() {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    scope: { id: 'tenant-settings' },
    mutationFn: (body: { readonly name: string; readonly language: string }) =>
      answerOf(api.PATCH('/api/knowledge/tenant-settings', { body })),
    onSuccess: async (stored) => {
      queries.setQueryData(tenantSettingsQuery.queryKey, stored)
      void queries.invalidateQueries({ queryKey: SETTINGS })
      // The pages have the organisation's name from the session.
      await queries.fetchQuery({ ...sessionQuery, staleTime: 0 })
      await router.invalidate()
    },
  })
}

type Entry = AnswerOf<'/api/knowledge/knowledge-entries', 'get'>[number]

/** The stored entries of the sample. */
export const sampleQuery = queryOptions({
  queryKey: ['entries', 'sample'],
  queryFn: async ({ signal }): Promise<readonly Entry[]> => {
    // The first page has all of them: the newest imports come first, and the sample is imported on a first day.
    const imported = await answerOf(
      api.GET('/api/knowledge/knowledge-entries', { signal, params: { query: { source: 'import', limit: 100 } } }),
    )
    return imported.filter(({ source_reference: reference }) => reference?.startsWith(SAMPLE_REFERENCE) === true)
  },
})

/** Adds the sample to the entries, also after it was removed. */
export function useAddSample() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (lines: readonly SampleLine[]) => {
      const text = await answerOf(
        api.POST('/api/knowledge/knowledge-entries/bulk', {
          body: lines.map((line) => JSON.stringify(line)).join('\n') as never,
          bodySerializer: (body: unknown) => body as string,
          headers: { 'content-type': 'application/x-ndjson' },
          parseAs: 'text',
        }) as Promise<{ data?: string; error?: unknown; response: Response }>,
      )
      const results = (text as string)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { readonly status: string })
      if (results.some(({ status }) => status === 'failed')) throw new Error('A line of the sample failed')
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['entries'] }),
  })
}

/** Deletes the sample entries, and their categories when those are empty then. */
export function useRemoveSample() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (sample: readonly Entry[]) => {
      const ids = sample.map(({ id }) => id)
      await answerOf(api.POST('/api/knowledge/knowledge-entries/bulk-delete', { body: { entry_ids: ids } }))
      const categories = new Set(sample.map(({ category_id: id }) => id))
      for (const id of categories) {
        const { response } = await api.DELETE('/api/knowledge/categories/{category_id}', {
          params: { path: { category_id: id } },
        })
        // Another person put entries of their own there, or deleted the category first.
        if (!response.ok && ![404, 409].includes(response.status)) throw new ApiFault(response, [])
      }
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['entries'] }),
  })
}

export type SentInvitation = AnswerOf<'/api/knowledge/invitations', 'post', 201>

export function useInvite() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: {
      readonly email: string
      readonly role: 'reader' | 'editor' | 'admin'
    }): Promise<SentInvitation> =>
      proved({ kind: 'invited', name: order.email }, (confirmation) =>
        answerOf(api.POST('/api/knowledge/invitations', { body: { ...order, confirmation } })),
      ),
    // The link is shown once; nothing may keep it.
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['users'] }),
  })
}

import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type AnswerOf, answerOf, api, onePage } from './client.ts'
import type { components } from './schema.d.ts'
import { type Act, proved } from './proved.ts'
import { etagOf, type Versioned } from './versioned.ts'

export type ListedPerson = AnswerOf<'/api/knowledge/users', 'get'>[number]
export type PersonAccess = AnswerOf<'/api/knowledge/users/{user_id}/access', 'get'>
export type PersonDetails = AnswerOf<'/api/knowledge/users/{user_id}', 'get'>
export type Invitation = AnswerOf<'/api/knowledge/invitations', 'get'>[number]
export type InvitationOrder = components['schemas']['InvitationCreate']
type PersonChange = components['schemas']['UserChange']
export type GivenRole = Invitation['role']
export type GivenCeiling = Invitation['ceiling']

/** Filter of a list of people. */
export interface PeopleFilter {
  readonly q?: string
  readonly role?: GivenRole
  readonly state?: 'active' | 'disabled'
}

export const PEOPLE_PER_PAGE = 50

export const askPeople = ({ q, role, state }: PeopleFilter, cursor: string | null, signal: AbortSignal) =>
  onePage(
    api.GET('/api/knowledge/users', {
      signal,
      params: {
        query: {
          limit: PEOPLE_PER_PAGE,
          include_details: true,
          ...(q === undefined ? {} : { query: q }),
          ...(role === undefined ? {} : { role }),
          ...(state === undefined ? {} : { disabled: state === 'disabled' }),
          ...(cursor === null ? {} : { cursor }),
        },
      },
    }),
  )

export const askInvitations = (cursor: string | null, signal: AbortSignal) =>
  onePage(
    api.GET('/api/knowledge/invitations', {
      signal,
      params: { query: { limit: PEOPLE_PER_PAGE, ...(cursor === null ? {} : { cursor }) } },
    }),
  )

const pathOf = (id: string) => ({ params: { path: { user_id: id } } })

export const personQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', id],
    queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/users/{user_id}', { signal, ...pathOf(id) })),
  })

export const personSignInQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', id, 'sign-in'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/users/{user_id}/sign-in', { signal, ...pathOf(id) })),
  })

export const personSessionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['people', id, 'sessions'],
    queryFn: ({ signal }) => answerOf(api.GET('/api/knowledge/users/{user_id}/sessions', { signal, ...pathOf(id) })),
  })

/** Role and ceiling that a person would get. */
interface AccessWish {
  readonly role: GivenRole
  readonly ceiling: NonNullable<GivenCeiling>
}

/** Reads the keys and applications that end with a person, or by another role and ceiling. */
export const personAccessQuery = (id: string, wish: AccessWish | null = null) =>
  queryOptions({
    queryKey: ['people', id, 'access', wish],
    queryFn: ({ signal }) => {
      const params = { ...pathOf(id).params, ...(wish === null ? {} : { query: wish }) }
      return answerOf(api.GET('/api/knowledge/users/{user_id}/access', { signal, params }))
    },
    // What the person issued a moment ago has to be listed before it ends.
    staleTime: 0,
  })

/** Receivers of keys and applications that would end with a person, by the id of what each receives. */
export interface Receivers {
  readonly api_keys: Readonly<Record<string, string>>
  readonly oauth_clients: Readonly<Record<string, string>>
}

/** Hands over what still is the person's: what an attempt before this one handed over is left out. */
async function handOver(id: string, receivers: Receivers): Promise<void> {
  const people = new Set([...Object.values(receivers.api_keys), ...Object.values(receivers.oauth_clients)])
  if (people.size === 0) return
  const present = await answerOf(api.GET('/api/knowledge/users/{user_id}/access', pathOf(id)))
  const keyIds = present.issued_api_keys.map((key) => key.id)
  const clientIds = present.oauth_clients.map((client) => client.client_id)
  for (const to of people) {
    const body = {
      to_user_id: to,
      api_keys: keyIds.filter((each) => receivers.api_keys[each] === to),
      oauth_clients: clientIds.filter((each) => receivers.oauth_clients[each] === to),
    }
    await answerOf(api.POST('/api/knowledge/users/{user_id}/access/hand-over', { ...pathOf(id), body }))
  }
}

/** Returns a function that reads all lists of people again after one of them changed. */
export function useReadPeopleAgain(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['people'] }),
      // Other pages choose among all users.
      queries.invalidateQueries({ queryKey: ['users'] }),
    ])
  }
}

/** Returns what a change does to a person in whom it takes a proof: one who administers the organisation then. */
function actOf({ disabled, role }: PersonChange): Act {
  if (disabled === false) return { kind: 'enabled' }
  return { kind: role === 'admin' ? 'administrator' : 'wider' }
}

export function useChangePerson(id: string) {
  const onSuccess = useReadPeopleAgain()
  return useMutation({
    mutationFn: (change: PersonChange) =>
      proved(actOf(change), (confirmation) =>
        answerOf(api.PATCH('/api/knowledge/users/{user_id}', { ...pathOf(id), body: { ...change, confirmation } })),
      ),
    onSuccess,
  })
}

/** Reads a person as they are stored now. */
export async function readPerson(id: string): Promise<Versioned<PersonDetails>> {
  const call = api.GET('/api/knowledge/users/{user_id}', pathOf(id))
  return { value: await answerOf(call), etag: etagOf((await call).response) }
}

/**
 * Changes a person, after others received what is to stay.
 * @throws ApiFault with 412 when the person is no longer in the state that `etag` names
 */
export async function changePerson(id: string, change: PersonChange, etag: string, receivers: Receivers) {
  await handOver(id, receivers)
  return proved(actOf(change), (confirmation) =>
    answerOf(
      api.PATCH('/api/knowledge/users/{user_id}', {
        params: { path: { user_id: id }, header: { 'If-Match': etag } },
        body: { ...change, confirmation },
      }),
    ),
  )
}

/** Disables a person, after others received what is to stay. */
export function useDisablePerson(id: string) {
  const onSuccess = useReadPeopleAgain()
  return useMutation({
    mutationFn: async (receivers: Receivers) => {
      await handOver(id, receivers)
      return answerOf(api.PATCH('/api/knowledge/users/{user_id}', { ...pathOf(id), body: { disabled: true } }))
    },
    onSuccess,
  })
}

/** Erases a person, after others received what is to stay. */
export function useErasePerson(id: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (receivers: Receivers) => {
      await handOver(id, receivers)
      return answerOf(api.DELETE('/api/knowledge/users/{user_id}', pathOf(id)))
    },
    onSuccess: () => {
      // Removed instead of invalidated: a renewal would ask for a person who no longer exists.
      queries.removeQueries({ queryKey: ['people'] })
      void queries.invalidateQueries({ queryKey: ['users'] })
    },
  })
}

/** Gives a person a link for a new password. @param name of the person, for the question who does that */
export function useResetPassword(id: string, name: string) {
  return useMutation({
    mutationFn: () =>
      proved({ kind: 'password', name }, (confirmation) =>
        answerOf(api.POST('/api/knowledge/users/{user_id}/password-reset', { ...pathOf(id), body: { confirmation } })),
      ),
    // The link is shown once; nothing may keep it.
    gcTime: 0,
  })
}

/** Ends the second factors of a person. @param name of the person, for the question who does that */
export function useResetFactors(id: string, name: string) {
  const onSuccess = useReadPeopleAgain()
  return useMutation({
    mutationFn: () =>
      proved({ kind: 'factors', name }, (confirmation) =>
        answerOf(api.DELETE('/api/knowledge/users/{user_id}/factors', { ...pathOf(id), body: { confirmation } })),
      ),
    onSuccess,
  })
}

export function useSignOutPerson(id: string) {
  const onSuccess = useReadPeopleAgain()
  return useMutation({
    mutationFn: () => answerOf(api.DELETE('/api/knowledge/users/{user_id}/sessions', pathOf(id))),
    onSuccess,
  })
}

export function useInvite() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (order: InvitationOrder) =>
      proved({ kind: 'invited', name: order.email }, (confirmation) =>
        answerOf(api.POST('/api/knowledge/invitations', { body: { ...order, confirmation } })),
      ),
    gcTime: 0,
    onSuccess: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
}

/** Makes a new link for an invitation, and ends the previous link. */
export function useSendAgain() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      proved({ kind: 'invitedAgain' }, (confirmation) =>
        answerOf(
          api.POST('/api/knowledge/invitations/{invitation_id}/send', {
            params: { path: { invitation_id: id } },
            body: { confirmation },
          }),
        ),
      ),
    gcTime: 0,
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
}

export function useWithdraw() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      answerOf(api.DELETE('/api/knowledge/invitations/{invitation_id}', { params: { path: { invitation_id: id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: ['invitations'] }),
  })
}

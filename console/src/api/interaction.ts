import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Scope } from '../../../src/platform/access/scopes.ts'
import { plainName } from '../parts/plain-name.ts'
import { answerOf } from './client.ts'

/**
 * What an application asks for, as `details` answers (`InteractionDetails` in the service's OAuth contract). These
 * routes are for these pages alone and stand outside the OpenAPI document, so their types are written here.
 */
export interface Interaction {
  readonly prompt: 'login' | 'consent'
  readonly client: {
    readonly client_id: string
    readonly client_name: string
    /** Host of the document that describes the client; null when none does. */
    readonly document_host: string | null
    /** Where this answer goes: a web site, a program on this machine, or an app that has taken a scheme here. */
    readonly returns_to: { readonly kind: 'site' | 'machine' | 'app'; readonly name: string }
    readonly registration: 'key' | 'open' | 'document'
  }
  readonly scopes: readonly { readonly name: Scope }[]
  readonly resource: string
  readonly user: { readonly email: string; readonly name: string } | null
  readonly tenant: { readonly id: string; readonly name: string } | null
  readonly fault: 'other_tenant' | 'registration_closed' | 'nothing_to_grant' | null
  /** Whether the application wants a sign-in even from somebody who is signed in. */
  readonly sign_in_again: boolean
}

async function ask<T>(uid: string, step: string, body?: object): Promise<T> {
  const path = `/oauth/interaction/${encodeURIComponent(uid)}/${step}`
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(path, body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) })
  const content: unknown = await response.json().catch(() => null)
  return answerOf(Promise.resolve(response.ok ? { data: content as T, response } : { error: content, response }))
}

/** Asked anew each time, because an interaction is over soon. */
export const interactionQuery = (uid: string) =>
  queryOptions({
    queryKey: ['interaction', uid],
    queryFn: async (): Promise<Interaction> => {
      const { client, ...rest } = await ask<Interaction>(uid, 'details')
      return { ...rest, client: { ...client, client_name: plainName(client.client_name, client.client_id) } }
    },
    staleTime: 0,
    refetchOnWindowFocus: false,
  })

export type InteractionStep =
  | { readonly step: 'continue' }
  | { readonly step: 'consent'; readonly scopes: readonly Scope[] }
  | { readonly step: 'deny' }

/** Takes the interaction further; answers where the browser goes next. */
export function useInteractionStep(uid: string) {
  return useMutation({
    mutationFn: async ({ step, ...body }: InteractionStep) =>
      (await ask<{ readonly location: string }>(uid, step, body)).location,
    meta: { signsIn: true },
  })
}

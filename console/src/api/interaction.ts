import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Scope } from '../../../src/platform/access/scopes.ts'
import { plainName } from './plain-name.ts'
import { answerOf, reached } from './client.ts'
import { proved } from './proved.ts'

/**
 * An application's request for access, as the route `details` answers it (`InteractionDetails` in the service's OAuth
 * contract). These routes serve only these pages and are not in the OpenAPI document, so their types are written here.
 */
export interface Interaction {
  readonly prompt: 'login' | 'consent'
  readonly client: {
    readonly client_id: string
    readonly client_name: string
    /** Host of the client's document; null without a document. */
    readonly document_host: string | null
    /**
     * Receiver of this answer: a web site, a program on this computer, or an app that registered a scheme on this
     * device.
     */
    readonly returns_to: { readonly kind: 'site' | 'machine' | 'app'; readonly name: string }
    readonly registration: 'key' | 'open' | 'document'
  }
  readonly scopes: readonly { readonly name: Scope }[]
  readonly resource: string
  readonly user: { readonly email: string; readonly name: string } | null
  readonly tenant: { readonly id: string; readonly name: string } | null
  readonly fault: 'other_tenant' | 'registration_closed' | 'nothing_to_grant' | null
  /** Whether the application wants even a signed-in person to sign in again. */
  readonly sign_in_again: boolean
}

async function ask<T>(uid: string, step: string, body?: object): Promise<T> {
  const path = `/oauth/interaction/${encodeURIComponent(uid)}/${step}`
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
  const response = await reached(new Request(path, init))
  const content: unknown = await response.json().catch(() => null)
  return answerOf(Promise.resolve(response.ok ? { data: content as T, response } : { error: content, response }))
}

/** Returns the query for an interaction. It is fetched anew each time, because an interaction soon expires. */
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

/**
 * Does the next step of the interaction. The result is the address to which the browser goes next.
 * @param name of the application, for the question who lets it administer the organisation
 */
export function useInteractionStep(uid: string, name: string) {
  return useMutation({
    mutationFn: async ({ step, ...body }: InteractionStep) =>
      (
        await proved({ kind: 'application', name }, (confirmation) =>
          ask<{ readonly location: string }>(uid, step, { ...body, confirmation }),
        )
      ).location,
    meta: { signsIn: true },
  })
}

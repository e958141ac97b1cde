import type { Provider } from 'oidc-provider'
import type { OAuthClientRow } from '../../../platform/database/tables.ts'
import { extraOf, isDocumentClient } from '../clients/client.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
export type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

/**
 * Whether the person must sign in again: the application asked for it, or for a more recent sign-in, or the server
 * refused the person it knew.
 * @param signedInAt in milliseconds since 1970; null when nobody is signed in
 */
export function mustSignInAgain(interaction: Interaction, signedInAt: number | null): boolean {
  const { prompt, params } = interaction
  if (prompt.name !== 'login' || (signedInAt !== null && signedInAt >= startOf(interaction))) return false
  const { reasons } = prompt
  if (reasons.includes('login_prompt')) return true
  if (!reasons.includes('no_session')) return true
  return reasons.includes('max_age') && signedInAt !== null && Date.now() - signedInAt > Number(params.max_age) * 1_000
}

/** In milliseconds since 1970, as the adapter stored it; the provider itself knows seconds only. */
function startOf({ prompt, iat }: Interaction): number {
  const { startedAt } = prompt.details
  return typeof startedAt === 'number' ? startedAt : (iat + 1) * 1_000
}

/** How a client came to be known. */
export function registrationOf(client: Client): OAuthClientRow['registration'] {
  return isDocumentClient(client) ? 'document' : (extraOf(client).registration ?? 'key')
}

/** A parameter of the request to authorize; the first of several values; empty without one. */
export function paramOf({ params }: Interaction, name: string): string {
  const value = [params[name]].flat()[0]
  return typeof value === 'string' ? value : ''
}

/** The resource that the client asks to use. */
export function resourceOf(interaction: Interaction): string {
  return paramOf(interaction, 'resource')
}

/** The row for a client described by a document. Only the console reads it. */
export function documentRow(client: Client, tenantId: string): OAuthClientRow {
  return {
    tenant_id: tenantId,
    id: client.clientId,
    registration: 'document',
    metadata: JSON.stringify({
      client_name: client.clientName ?? new URL(client.clientId).host,
      redirect_uris: client.redirectUris ?? [],
      grant_types: client.grantTypes ?? [],
      response_types: client.responseTypes ?? [],
      token_endpoint_auth_method: 'none',
      scope: '',
    }),
    secret_hash: null,
    management_hash: null,
    scopes_max: '',
    user_id: null,
    created_at: Date.now(),
    last_used_at: null,
  }
}

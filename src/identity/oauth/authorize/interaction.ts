import type { Provider } from 'oidc-provider'
import type { OAuthClientRow } from '../../../platform/database/tables.ts'
import { extraOf, isDocumentClient } from '../clients/client.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>
export type Client = NonNullable<Awaited<ReturnType<Provider['Client']['find']>>>

/**
 * Tells whether the person must sign in again: the application asks for a new or a more recent sign-in, or the OAuth
 * server refused the person of its own session.
 * @param signedInAt when the person signed in, in milliseconds since 1970; null without a session
 */
export function mustSignInAgain(interaction: Interaction, signedInAt: number | null): boolean {
  const { prompt, params } = interaction
  if (prompt.name !== 'login' || (signedInAt !== null && signedInAt >= startOf(interaction))) return false
  const { reasons } = prompt
  if (reasons.includes('login_prompt')) return true
  if (!reasons.includes('no_session')) return true
  return reasons.includes('max_age') && signedInAt !== null && Date.now() - signedInAt > Number(params.max_age) * 1_000
}

/**
 * Returns when the interaction began, in milliseconds since 1970, as the adapter stored it. The OAuth server itself
 * keeps seconds only, so that without a stored time the end of that second counts.
 */
function startOf({ prompt, iat }: Interaction): number {
  const { startedAt } = prompt.details
  return typeof startedAt === 'number' ? startedAt : (iat + 1) * 1_000
}

/** Returns how a client was registered. */
export function registrationOf(client: Client): OAuthClientRow['registration'] {
  return isDocumentClient(client) ? 'document' : (extraOf(client).registration ?? 'key')
}

/** Returns a parameter of the request to authorize: the first of several values, or an empty text without one. */
export function paramOf({ params }: Interaction, name: string): string {
  const value = [params[name]].flat()[0]
  return typeof value === 'string' ? value : ''
}

/** Returns the resource that the client asks to use. */
export function resourceOf(interaction: Interaction): string {
  return paramOf(interaction, 'resource')
}

/** Returns the row for a client described by a document. Only the console reads that row. */
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
    key_id: null,
    created_at: Date.now(),
    last_used_at: null,
  }
}

import type { ClientMetadata, Provider } from 'oidc-provider'
import { NO_TENANT } from '../../tenants/realm.ts'
import type { ExtraMetadata } from './client-metadata.ts'

/** What a valid API key speaks for in this request. */
export interface Voucher {
  /** The client whose secret it stands in for. */
  readonly clientId: string
  /** The key's user: what the client is given for itself ends with them. */
  readonly userId: string | null
  /** The key itself: with it ends what the client is given for itself. */
  readonly keyId: string
  /** In milliseconds since 1970. */
  readonly keyExpiresAt: number | null
}

/** What we told the server of a client; of one described by a document nothing, whatever it may say itself. */
export function extraOf(client: object): ExtraMetadata {
  return 'clientIdMetadataDocument' in client ? {} : client
}

/** Whether a client describes itself by a document at its own address. */
export function isDocumentClient(client: object): boolean {
  return 'clientIdMetadataDocument' in client
}

/** The tenant a client was registered for; `*` where the first person who consents decides. */
export function tenantOfClient(client: object): string {
  return extraOf(client).tenant_id ?? NO_TENANT
}

/**
 * Checks metadata as the server does when it reads a client.
 * @throws an error of the OAuth server that says what is wrong
 */
export async function checkMetadata(provider: Provider, metadata: ClientMetadata): Promise<void> {
  const model = provider.Client as unknown as { validate(metadata: ClientMetadata): Promise<void> }
  await model.validate(metadata)
}

/** An error of the OAuth server that may be told to clients. */
export interface ProtocolError {
  readonly message: string
  readonly error_description?: string
}

/** Known by its shape: the server is loaded when it is first needed. */
export function isProtocolError(error: unknown): error is Error & ProtocolError {
  return error instanceof Error && 'expose' in error && error.expose === true
}

import type { ClientMetadata, Provider } from 'oidc-provider'
import { NO_TENANT } from '../../tenants/realm.ts'
import type { ExtraMetadata } from './client-metadata.ts'

/** The client that a valid API key vouches for in this request. */
export interface Voucher {
  /** The key stands in for the secret of this client. */
  readonly clientId: string
  /** The key's user. The client's own tokens end with the user. */
  readonly userId: string | null
  /** The client's own tokens end with this key. */
  readonly keyId: string
  /** In milliseconds since 1970. */
  readonly keyExpiresAt: number | null
}

/** Our own metadata of a client; empty for a client described by a document, whatever the document says. */
export function extraOf(client: object): ExtraMetadata {
  return 'clientIdMetadataDocument' in client ? {} : client
}

/** Whether a client describes itself by a document at its own address. */
export function isDocumentClient(client: object): boolean {
  return 'clientIdMetadataDocument' in client
}

/** The tenant a client was registered for; `*` until the first person consents. */
export function tenantOfClient(client: object): string {
  return extraOf(client).tenant_id ?? NO_TENANT
}

/**
 * Checks metadata as the OAuth server does when it reads a client.
 * @throws the OAuth server's error about the fault
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

/** Checks the shape, not the class: importing the class would load the OAuth server before it is needed. */
export function isProtocolError(error: unknown): error is Error & ProtocolError {
  return error instanceof Error && 'expose' in error && error.expose === true
}

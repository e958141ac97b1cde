import type { ClientMetadata, Provider } from 'oidc-provider'
import { NO_TENANT } from '../../tenants/realm.ts'
import type { ExtraMetadata } from './client-metadata.ts'

/** Client that a valid API key vouches for in one request. */
export interface Voucher {
  /** Client whose secret the key stands in for. */
  readonly clientId: string
  /** User of the key; null for a key without a user. The client's own tokens end with the user. */
  readonly userId: string | null
  /** Id of the key. The client's own tokens end with the key. */
  readonly keyId: string
  /** When the key expires, in milliseconds since 1970; null for a key that never expires. */
  readonly keyExpiresAt: number | null
}

/** Returns this service's metadata of a client; empty for a client described by a document, whatever that says. */
export function extraOf(client: object): ExtraMetadata {
  return 'clientIdMetadataDocument' in client ? {} : client
}

/** Tells whether a client describes itself by a document at its own address. */
export function isDocumentClient(client: object): boolean {
  return 'clientIdMetadataDocument' in client
}

/** Returns the tenant that a client was registered for; `*` until the first person consents. */
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

/**
 * Tells whether an error is one of the OAuth server that may be told to clients. It checks the shape, not the class,
 * because importing the class would load the OAuth server before the service needs it.
 */
export function isProtocolError(error: unknown): error is Error & ProtocolError {
  return error instanceof Error && 'expose' in error && error.expose === true
}

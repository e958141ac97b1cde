import type { ProviderOrigin } from '../../platform/database/tables.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import type { ProviderClient } from './provider-client.ts'

/** Purpose that ID tokens of sessions are sealed for. */
export const ID_TOKEN_SEAL = 'id token of a session'
/** Longest ID token that is kept: it goes into an address. */
const LENGTH_MAX = 8_000

/** Ends the session at the outside provider with that of the service (OpenID Connect RP-Initiated Logout 1.0). */
export class ProviderSignOut {
  readonly #secrets: SecretBox
  readonly #client: Pick<ProviderClient, 'endSessionAddress'>

  constructor(secrets: SecretBox, client: Pick<ProviderClient, 'endSessionAddress'>) {
    this.#secrets = secrets
    this.#client = client
  }

  /** Seals an ID token, which names the provider's session at its end. @returns null for one that is too long */
  seal(idToken: string): string | null {
    return idToken.length > LENGTH_MAX ? null : this.#secrets.seal(ID_TOKEN_SEAL, idToken)
  }

  /**
   * Returns the address at which the browser ends the session at the provider; null for a session that did not come
   * from there, and where the provider has no such address or does not answer.
   */
  async addressFor({ provider_issuer: issuer, provider_id_token: sealed }: ProviderOrigin): Promise<string | null> {
    if (issuer === null) return null
    return this.#client.endSessionAddress(issuer, sealed === null ? null : this.#secrets.open(ID_TOKEN_SEAL, sealed))
  }
}

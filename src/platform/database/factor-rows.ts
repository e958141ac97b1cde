// Rows of second factors and of the sign-ins that wait for one. `tables.ts` has the conventions.
import type { ProviderOrigin } from './tenant-rows.ts'

/** A user's authenticator app (RFC 6238), and a new one that waits for its first code. */
export interface TotpRow {
  tenant_id: string
  user_id: string
  /** The secret, sealed; null until the first code. */
  sealed: string | null
  confirmed_at: number | null
  /**
   * Number of the time step of the newest code that was accepted. No code of this step or an earlier one counts again.
   */
  last_step: number | null
  /** The secret that the next code confirms, sealed. */
  pending_sealed: string | null
  pending_until: number | null
}

/** A passkey (WebAuthn) of a user. */
export interface PasskeyRow {
  tenant_id: string
  user_id: string
  id: string
  /** The authenticator's own id, base64url. */
  credential_id: string
  /** Public key in the COSE format (RFC 9052). */
  public_key: Buffer
  /** Number of uses as the authenticator counts them; many always say 0. */
  counter: number
  /** Ways in which browsers reach the authenticator, separated by spaces. */
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

/** A sign-in whose password was right and that waits for a second factor. */
export interface SignInStepRow extends ProviderOrigin {
  tenant_id: string
  user_id: string
  /** SHA-256 of the cookie's value, hexadecimal. */
  hash: string
  /** Time at which the person's password was set; null for a sign-in at an outside provider. */
  password_changed_at: number | null
  failures: number
  created_at: number
  expires_at: number
  /** Seconds that the session will last. */
  session_seconds: number
}

/** Challenge that a passkey has to sign. */
export interface PasskeyChallengeRow {
  /** `*` while it is unknown which person signs in. */
  tenant_id: string
  purpose: string
  /** Hash of the cookie, or id of the session, that the answer has to come with. */
  bound_to: string
  challenge: string
  expires_at: number
}

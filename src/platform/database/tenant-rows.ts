// Rows of tenants, their users and keys, and the audit log. `tables.ts` has the conventions.

import type { Generated } from 'kysely'

export interface TenantRow {
  tenant_id: string
  name: string
  /** Host name of this tenant alone; null when clients reach it at the shared address. */
  host: string | null
  settings: string
  embedding_model: string | null
  /** Number of the newest change that search must see. */
  watermark: number
  created_at: number
  /** Time since which every request of the tenant is refused; null while the tenant works. */
  suspended_at: number | null
  /** Time from which a suspended tenant may be removed; null while no removal is planned. */
  remove_at: number | null
  /** Time at which the removal began. From then on it cannot be cancelled. */
  removing_at: number | null
  /** The operator's own name for the tenant, by which a script finds what it has created. */
  reference: string | null
}

export interface TenantModelColumns {
  /**
   * Start of the process that chose `embedding_model`. When processes have different settings, the one that started last
   * decides.
   */
  model_chosen_at: Generated<number>
  /**
   * Id of the embedding model that the tenant has chosen; null while the installation chooses. It is an id, as
   * `embedding_model` is, so that SQL compares the two, and so that a release with other models under the same name
   * moves nobody.
   */
  embedding_choice: Generated<string | null>
}

export interface TenantQuotaColumns {
  /** Quotas of the tenant as JSON; null where nothing bounds it. */
  quotas: Generated<string | null>
  /** Bytes of text that were written since the tenant was last counted; only kept where bytes are bounded. */
  grown_bytes: Generated<number>
  /** Time until which no text of the tenant is embedded; null when nothing has paused it. */
  embedding_paused_until: Generated<number | null>
}

export interface UserRow {
  tenant_id: string
  id: string
  email: string
  name: string
  role: string
  /** The highest level that the user sees, where it is below that of the role; null for the role's. */
  ceiling: string | null
  /** Language of the pages; null for the browser's. */
  language: string | null
  disabled_at: number | null
  /** Time at which the person was erased. The row stays for rows that refer to it, with another name and address. */
  erased_at: number | null
  created_at: number
}

export interface ApiKeyRow {
  tenant_id: string
  id: string
  user_id: string | null
  name: string
  /** SHA-256 of the key, hexadecimal; the key itself is never stored. */
  hash: string
  /** First characters of the key, so that people recognise it. */
  hint: string
  scopes: string
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
  /** Kind of credential that issued the key: `key`, `session`, or `cli` for the operator; null when not recorded. */
  issuer_kind: string | null
  /** Id of the key or session that issued the key. */
  issuer_id: string | null
  /** User of that key or session. */
  issuer_user_id: string | null
  /** Sites and origins of a publishable key, as JSON (`identity/api-keys/publishable.ts`); null for every other key. */
  publishable: string | null
}

export interface AuditRow {
  tenant_id: string
  id: string
  at: number
  action: string
  resource_type: string
  resource_id: string
  user_id: string | null
  credential_id: string | null
  /** The channel as the service itself determined it: api, mcp, console, cli or oauth. */
  source: string
  /** The OAuth client that the credential was issued to. */
  client_id: string | null
  /** Value of X-Audit-Source. Any holder of a key can send any value. */
  claimed_source: string | null
  /** Value of X-Client-Id, just as unverified. */
  claimed_client_id: string | null
  /** Settings before and after the change, as JSON, never content and no secret; null for most records. */
  details: string | null
}

/** User who has an account (a subject) at an outside provider. */
export interface UserIdentityRow {
  tenant_id: string
  issuer: string
  subject: string
  user_id: string
  created_at: number
  /**
   * Time at which the service found that the person had left every group that lets people in. It disabled the user at
   * the same moment. A user who was disabled at another time was disabled by an administrator.
   */
  left_at: number | null
}

/** The account and the session at an outside provider that a sign-in came from; null in every other sign-in. */
export interface ProviderOrigin {
  provider_issuer: string | null
  provider_subject: string | null
  /** The provider's id of its session (`sid`); also null when its ID token names none. */
  provider_sid: string | null
  /** The sealed ID token, which ends the session at the provider; null when none is kept. */
  provider_id_token: string | null
}

/** A person's sign-in in a browser. */
export interface SessionRow extends ProviderOrigin {
  tenant_id: string
  id: string
  /** SHA-256 of the cookie's value, hexadecimal. */
  hash: string
  user_id: string
  created_at: number
  expires_at: number
  /** Proof of the person: a `password`, also a `second` factor, or an account at an outside `provider`. */
  strength: string
  /** Time at which an administrator ended the person's second factors; set in the first session after that. */
  factors_reset_at: number | null
  /** Address that the sign-in came from; null when not recorded. */
  address: string | null
  /** The User-Agent header of the sign-in, shortened. */
  browser: string | null
}

/** Invitation of a person, who becomes a user by a link. Only the link's hash is stored. */
export interface InvitationRow {
  tenant_id: string
  id: string
  email: string
  role: string
  ceiling: string | null
  /** SHA-256 of the link's token, hexadecimal. */
  hash: string
  /** Null when no user invited: a key without a user, or the command line. */
  invited_by_user_id: string | null
  /** The API key that invited; null for a session and for the command line. */
  invited_by_key_id: string | null
  created_at: number
  expires_at: number
}

/** A link that sets the password of a user. A newer one replaces it. */
export interface PasswordResetRow {
  tenant_id: string
  user_id: string
  /** SHA-256 of the link's token, hexadecimal. */
  hash: string
  /** The user who gave the link; null for a forgotten password, and for a key without a user. */
  given_by_user_id: string | null
  /** The API key that gave it; null for a session and for a forgotten password. */
  given_by_key_id: string | null
  created_at: number
  expires_at: number
}

/** A mail that waits to be sent. */
export interface MailRow {
  tenant_id: string
  id: string
  /** Recipient, subject and text, encrypted: they hold a link. */
  sealed: string
  attempts: number
  next_at: number
  /** Time at which the link in the mail ends, so that sending it is no longer of use. */
  expires_at: number
}

// Rows of the OAuth server. `tables.ts` has the conventions.

export interface OAuthClientRow {
  /** `*` for a client that registered itself at an address that several tenants share. */
  tenant_id: string
  id: string
  /** Way of the registration: with an API key, by the client itself, or by a document at the client's own address. */
  registration: 'key' | 'open' | 'document'
  /** The registration (RFC 7591) as JSON, without the secret. */
  metadata: string
  /** SHA-256 of the client secret; null for a client described by a document. */
  secret_hash: string | null
  /** SHA-256 of the registration access token (RFC 7592). */
  management_hash: string | null
  /**
   * Most scopes that the client may have without a person: those of the API key that registered it. Empty without such
   * a key.
   */
  scopes_max: string
  /**
   * User of the key that registered the client. Tokens that the client gets for itself belong to this user, and end
   * with the user.
   */
  user_id: string | null
  /** API key that registered the client; null without one, and once the client was handed over to another user. */
  key_id: string | null
  created_at: number
  last_used_at: number | null
}

/** One object of the OAuth server: a session, interaction, grant, code or token. */
export interface OAuthRecordRow {
  tenant_id: string
  kind: string
  /** SHA-256 of the id, hexadecimal. The id itself is the token, so it is not stored. */
  hash: string
  payload: string
  /**
   * A second key to find the record by. For a session, its uid. For a token that a client got for itself, the id of the
   * API key that vouched for the client. For a refresh token, the hash of the token it replaced. For an access token
   * issued with a refresh token, the hash of that refresh token.
   */
  uid: string | null
  /** The grant that the record came from; for a grant its own id. */
  grant_id: string | null
  client_id: string | null
  user_id: string | null
  scopes: string
  /** The resource that the token is for. */
  audience: string | null
  consumed_at: number | null
  created_at: number
  expires_at: number | null
}

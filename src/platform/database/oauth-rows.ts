// Rows of the OAuth server. Conventions are those of `tables.ts`.

export interface OAuthClientRow {
  /** `*` for a client that registered itself where many tenants are served. */
  tenant_id: string
  id: string
  /** By an API key, by itself, or described by a document at its own address. */
  registration: 'key' | 'open' | 'document'
  /** As registered (RFC 7591), JSON without the secret. */
  metadata: string
  /** SHA-256 of the client secret; null for a client described by a document. */
  secret_hash: string | null
  /** SHA-256 of the registration access token (RFC 7592). */
  management_hash: string | null
  /** What the API key that registered it might do: the most it may do without a person; empty without such a key. */
  scopes_max: string
  /** Whose key registered it: what it is given for itself belongs to that user, and ends with them. */
  user_id: string | null
  created_at: number
  last_used_at: number | null
}

/** One object of the OAuth server: a session, interaction, grant, code or token. */
export interface OAuthRecordRow {
  tenant_id: string
  kind: string
  /** SHA-256 of its id, hexadecimal: who holds the id holds the token. */
  hash: string
  payload: string
  /**
   * What else it is found by: a session's own; of a token for a client itself the API key that spoke for it. Of a
   * refresh token it is the hash of the one it replaced, and of the access token that came with it then its hash.
   */
  uid: string | null
  /** The grant it came from; a grant's own id. */
  grant_id: string | null
  client_id: string | null
  user_id: string | null
  scopes: string
  /** The resource a token is for. */
  audience: string | null
  consumed_at: number | null
  created_at: number
  expires_at: number | null
}

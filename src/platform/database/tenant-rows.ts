// Rows of tenants, of their people and keys, and of what was done. Conventions are those of `tables.ts`.

export interface TenantRow {
  tenant_id: string
  name: string
  /** Host name that belongs to this tenant alone; null when it is reached at the shared address. */
  host: string | null
  settings: string
  embedding_model: string | null
  /** Number of the newest change to anything searchable. */
  watermark: number
  created_at: number
}

export interface UserRow {
  tenant_id: string
  id: string
  email: string
  name: string
  role: string
  disabled_at: number | null
  created_at: number
}

export interface ApiKeyRow {
  tenant_id: string
  id: string
  user_id: string | null
  name: string
  /** SHA-256 of the key, hexadecimal; the key itself is never stored. */
  hash: string
  /** First characters of the key, to recognise it by. */
  hint: string
  scopes: string
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
  created_at: number
  /** How whoever issued it came in: `key`, `session`, or `cli` for the operator; null where nobody noted it. */
  issuer_kind: string | null
  /** The key or session that issued it. */
  issuer_id: string | null
  /** Whose that was. */
  issuer_user_id: string | null
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
  /** The channel it came by, as the service knows it: api, mcp, console, cli or oauth. */
  source: string
  /** The OAuth client the credential was issued to. */
  client_id: string | null
  /** What X-Audit-Source said; a holder of a key may say anything there. */
  claimed_source: string | null
  /** The same of X-Client-Id. */
  claimed_client_id: string | null
}

/** Whom an outside provider means by a subject. */
export interface UserIdentityRow {
  tenant_id: string
  issuer: string
  subject: string
  user_id: string
  created_at: number
}

/** Somebody signed in in a browser. */
export interface SessionRow {
  tenant_id: string
  id: string
  /** SHA-256 of the cookie's value, hexadecimal. */
  hash: string
  user_id: string
  created_at: number
  expires_at: number
}

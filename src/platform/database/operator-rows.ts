// Rows of operators, of the installation's audit log and of the usage of tenants. `tables.ts` has the conventions.

export interface OperatorRow {
  /** Always `*`: operators belong to no tenant. */
  tenant_id: string
  id: string
  name: string
  /** SHA-256 of the credential, hexadecimal; the credential itself is never stored. */
  hash: string
  /** First characters of the credential, so that people recognise it. */
  hint: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

/** An action of an operator. The row stays when its tenant is removed. */
export interface OperatorLogRow {
  /** Always `*`: the log belongs to the installation. */
  tenant_id: string
  id: string
  at: number
  action: string
  resource_type: string
  resource_id: string
  /** Null for the command line, and for the service itself. */
  operator_id: string | null
  /** operator (over HTTP), cli, or service for itself. */
  source: string
}

/** Size of a tenant when it was last counted. */
export interface TenantUsageRow {
  tenant_id: string
  counted_at: number
  /** The tenant's watermark at that time. While it is the same, nothing needs to be counted again. */
  watermark: number
  entries: number
  products: number
  passages: number
  /** Stored text of entries, their versions and products, in UTF-8. */
  bytes: number
  /** Users who are not disabled. */
  users: number
  /** API keys that are neither revoked nor expired. */
  keys: number
}

/** Usage of a tenant on one day. */
export interface UsageDayRow {
  tenant_id: string
  /** UTC, such as `2027-02-19`. */
  day: string
  searches: number
  /** Tokens that were embedded, of texts and queries. */
  tokens: number
  requests: number
  /** Milliseconds of work for requests and in the search thread. */
  work_ms: number
  /** Bytes of requests and answers. */
  transferred: number
  /** Most memory of search indexes, as one process noted it. */
  index_bytes: number
}

/** State of the backups that the service makes. */
export interface BackupStateRow {
  /** Always `*`: backups are of the installation. */
  tenant_id: string
  /** Process that makes a backup, until `held_until`; null while none does. */
  holder: string | null
  held_until: number | null
  /** Time at which the last complete backup began. */
  succeeded_at: number | null
  path: string | null
  bytes: number | null
  took_ms: number | null
  /** Time at which the last backup began that failed. */
  failed_at: number | null
  /** Reason of that failure. */
  failure: string | null
}

/** Notes that `recording.ts` writes: statements of the product, and transactions that name two tenants. */
export type Note = StatementNote | TenantsNote

export interface StatementNote {
  readonly kind: 'statement'
  readonly sql: string
  /** File and function that built it. */
  readonly origin: string
  /** Name of a test that ran it; empty in threads. */
  readonly test: string
  /** For each parameter the first one of the same value, in an example; null where the text was noted before. */
  readonly same: readonly number[] | null
}

interface TenantsNote {
  readonly kind: 'tenants'
  /** The function that names the first tenant, and the one that names another. */
  readonly origins: readonly [string, string]
  readonly sql: readonly [string, string]
  readonly test: string
}

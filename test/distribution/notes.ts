/** Notes that `recording.ts` writes: statements of the product, and transactions that name two tenants. */
export type Note = StatementNote | TenantsNote

export interface StatementNote {
  readonly kind: 'statement'
  readonly sql: string
  /** File and function that built the statement. */
  readonly origin: string
  /** Name of a test that ran the statement; empty in threads. */
  readonly test: string
  /**
   * For each parameter the index of the first one with the same value, in one run; null where the text was noted
   * before.
   */
  readonly same: readonly number[] | null
}

interface TenantsNote {
  readonly kind: 'tenants'
  /** The function that names the first tenant, and the one that names another. */
  readonly origins: readonly [string, string]
  readonly sql: readonly [string, string]
  readonly test: string
}

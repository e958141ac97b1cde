/**
 * SQLSTATEs of a server that does not let this program in: a wrong password (28P01), a role that is gone or may not log
 * in (28000), a database that does not exist (3D000) or was made anew without our tables (42P01), rights that were
 * taken away (42501). Only an operator can mend these.
 */
const REFUSALS = new Set(['28P01', '28000', '3D000', '42P01', '42501'])

/**
 * Messages of PgBouncer in the same cases, some of them in the words of the server. PgBouncer gives all of them the
 * SQLSTATE of a connection exception (08P01).
 */
const REFUSALS_OF_POOLERS =
  /^(?:SASL authentication failed|password authentication failed|no such (?:database|user)|(?:database|role) ".*" does not exist)/

/** Tells whether an error says that PostgreSQL does not let this program in, which waiting does not mend. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  return REFUSALS.has(code) || (code === '08P01' && REFUSALS_OF_POOLERS.test(error.message))
}

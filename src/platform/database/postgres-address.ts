/** Connections of one process, unless a setting says otherwise. The worker threads have their own pools. */
export const POOL_MAX = 10

const POOLING = 'pooling'
const POOLINGS = ['session', 'transaction'] as const

/**
 * How long a connection of an address stays with one server process: as long as it is open, or for one transaction, as
 * behind PgBouncer with `pool_mode = transaction`. Then nothing may be kept in the session.
 */
type Pooling = (typeof POOLINGS)[number]

/** Whether `databaseUrl` is an address of PostgreSQL whose own parameters are known. */
export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl) && poolingOf(databaseUrl) !== undefined
}

/** @returns undefined for an unknown value of the parameter */
export function poolingOf(databaseUrl: string): Pooling | undefined {
  const written = new URL(databaseUrl).searchParams.get(POOLING)
  return written === null ? 'session' : POOLINGS.find((each) => each === written)
}

/** The address for drivers and programs, which know no such parameter. */
export function withoutPooling(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has(POOLING)) return databaseUrl
  url.searchParams.delete(POOLING)
  return url.href
}

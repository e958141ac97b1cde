/** Connections of one process, unless a setting says otherwise. The worker threads have their own pools. */
export const POOL_MAX = 10

const POOLING = 'pooling'
const POOLINGS = ['session', 'transaction'] as const

/**
 * Time for which a connection stays with one server process: as long as it is open (`session`), or for one transaction,
 * as behind PgBouncer with `pool_mode = transaction`. In the second case nothing may be stored in the session.
 */
type Pooling = (typeof POOLINGS)[number]

/** Tells whether `databaseUrl` is an address of PostgreSQL, and its parameter `pooling`, if any, has a known value. */
export function isPostgresUrl(databaseUrl: string): boolean {
  return /^postgres(ql)?:\/\//.test(databaseUrl) && URL.canParse(databaseUrl) && poolingOf(databaseUrl) !== undefined
}

/** Reads the parameter `pooling` of an address. @returns undefined for an unknown value */
export function poolingOf(databaseUrl: string): Pooling | undefined {
  const value = new URL(databaseUrl).searchParams.get(POOLING)
  return value === null ? 'session' : POOLINGS.find((each) => each === value)
}

/** Returns the address without the parameter `pooling`, which drivers and programs of PostgreSQL do not know. */
export function withoutPooling(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  if (!url.searchParams.has(POOLING)) return databaseUrl
  url.searchParams.delete(POOLING)
  return url.href
}

import pg from 'pg'
import { type Dialect, PostgresDialect } from 'kysely'
import { FairSlots } from '../threads/fair-slots.ts'
import { preparedName } from './prepared.ts'
import { workOwner } from '../hidden-parameters.ts'

/** Connections of one process. The embedding queue and the search thread have their own pools. */
export const POOL_MAX = 10

/** How long a statement waits for another transaction's lock before it fails; the same as for SQLite's writer. */
const LOCK_WAIT_MS = 10_000

/** How long a statement waits for a connection. */
export const CONNECTION_WAIT_MS = 5_000

/**
 * Without PostgreSQL's parallel workers. With them one connection would use three processors, but tenants share the
 * server by connections.
 */
const NO_PARALLEL_WORKERS = '-c max_parallel_workers_per_gather=0'

const INT8_OID = 20
const NUMERIC_OID = 1700

const standardParser = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => unknown

/** Counts and times as numbers, like SQLite's. All of ours stay far below 2^53. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID || oid === NUMERIC_OID) return Number
    return standardParser(oid, format)
  },
}

/** Gives kept statements a name for the driver. Kysely offers no other way. */
class KeepingClient extends pg.Client {
  override readonly query = ((statement: string, ...rest: [values?: unknown[]]) => {
    const name = preparedName(statement)
    return name === undefined
      ? super.query(statement, ...rest)
      : super.query({ name, text: statement, values: rest[0] })
  }) as pg.Client['query']
}

interface PostgresOptions {
  readonly url: string
  readonly poolMax?: number
  /** Called when an idle connection breaks. The pool replaces the connection itself. */
  readonly onError?: (error: Error) => void
}

export function postgresDialect({ url, poolMax = POOL_MAX, onError }: PostgresOptions): Dialect {
  const pool = new pg.Pool({
    Client: KeepingClient,
    connectionString: url,
    max: poolMax,
    types,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    lock_timeout: LOCK_WAIT_MS,
    options: NO_PARALLEL_WORKERS,
    keepAlive: true,
    application_name: 'knowledge-service',
  })
  pool.on('error', (error) => onError?.(error))
  // The pool listens to idle connections only. Without this listener, a connection that breaks between two statements
  // of a transaction would end the process. The next statement reports the error.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new PostgresDialect({ pool: shared(pool, poolMax) })
}

/**
 * Shares the pool fairly. Its own queue is first come, first served, so the tenant with the most requests would have it
 * to itself.
 */
function shared(pool: pg.Pool, slots: number): Pick<pg.Pool, 'connect' | 'end' | 'options'> {
  // One tenant may have half of the connections. Work without a tenant, such as checking a credential, may have all.
  const fair = new FairSlots({ slots, perOwner: Math.max(1, Math.floor(slots / 2)), waitMs: CONNECTION_WAIT_MS })
  const owners = new WeakMap<object, string>()
  pool.on('release', (_error, client) => fair.leave(owners.get(client)!))
  const connect = async (): Promise<pg.PoolClient> => {
    const owner = workOwner()
    await fair.enter(owner)
    try {
      const client = await pool.connect()
      owners.set(client, owner)
      return client
    } catch (error) {
      fair.leave(owner)
      throw error
    }
  }
  return { connect: connect as pg.Pool['connect'], end: () => pool.end(), options: pool.options }
}

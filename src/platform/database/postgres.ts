import pg from 'pg'
import { type Dialect, PostgresDialect } from 'kysely'
import { FairSlots } from '../threads/fair-slots.ts'
import { preparedName } from './prepared.ts'
import { workOwner } from '../hidden-parameters.ts'

/** Connections one process may hold; the embedding queue and the search worker have pools of their own. */
export const POOL_MAX = 10

/** How long a statement waits for a lock of another transaction before it gives up; SQLite's writer does the same. */
const LOCK_WAIT_MS = 10_000

/** How long a statement waits for a connection. */
export const CONNECTION_WAIT_MS = 5_000

/**
 * A statement works in its own process alone. With PostgreSQL's parallel workers one connection takes the processors of
 * three, and tenants share by connections.
 */
const NO_PARALLEL_WORKERS = '-c max_parallel_workers_per_gather=0'

const INT8_OID = 20
const NUMERIC_OID = 1700

const standardParser = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => unknown

/** Counts and times come back as numbers, as SQLite gives them; all of ours stay far below 2^53. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID || oid === NUMERIC_OID) return Number
    return standardParser(oid, format)
  },
}

/** Names the statements that are to be kept prepared: Kysely has no other way to tell the driver. */
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
  /** Told of connections that break while idle; they are replaced by themselves. */
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
  // The pool listens to idle connections only. One that breaks between two statements of a transaction would end
  // the process; its next statement fails anyway.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return new PostgresDialect({ pool: shared(pool, poolMax) })
}

/** The pool's own queue is first come, first served: whoever asks most has it. */
function shared(pool: pg.Pool, slots: number): Pick<pg.Pool, 'connect' | 'end' | 'options'> {
  // Half of them for one tenant; what is nobody's, such as looking up who asks, may have all.
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

import pg from 'pg'
import { type Dialect, PostgresDialect } from 'kysely'
import { withCertainCommits } from './certain-commits.ts'
import { outcomeOf } from './commit-outcome.ts'
import type { Connections } from './connections.ts'
import { FairSlots } from '../threads/fair-slots.ts'
import { Patience } from './patience.ts'
import { POOL_MAX, poolingOf, withoutPooling } from './postgres-address.ts'
import { preparedName } from './prepared.ts'
import { workOwner, workRecord } from '../hidden-parameters.ts'
import { spending } from '../telemetry/work-record.ts'
import { APPLICATION_NAME } from './older-connections.ts'

/** Time that a statement waits for another transaction's lock before it fails; the same as for SQLite's writer. */
const LOCK_WAIT_MS = 10_000

/**
 * Time that a transaction may do nothing. Then the server ends its connection, for example of a process that was paused
 * while it wrote. So the locks are free before transactions that wait for them, or work that waits for those
 * transactions, fail after five seconds.
 */
const IDLE_IN_TRANSACTION_MS = 4_000

/**
 * Time that a statement waits for its turn, and then again for a server that refuses connections or is away. Also the
 * time for the server to tell the outcome of a commit.
 */
export const CONNECTION_WAIT_MS = 5_000

/**
 * Returns the settings for all statements. With PostgreSQL's parallel workers one connection would use three
 * processors, but tenants share the server by connections. Statements set them, because poolers refuse both as
 * parameters of a connection.
 */
const settings = (scope: 'session' | 'local'): string =>
  `set ${scope} lock_timeout = ${LOCK_WAIT_MS}; set ${scope} max_parallel_workers_per_gather = 0`

const INT8_OID = 20
const NUMERIC_OID = 1700

const standardParser = pg.types.getTypeParser as (oid: number, format?: 'text' | 'binary') => unknown

/** The type parsers of every connection. They return counts and times as numbers, like SQLite. All values of the service stay far below 2^53. */
export const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID || oid === NUMERIC_OID) return Number
    return standardParser(oid, format)
  },
}

/**
 * Beginning of a transaction that writes. One that only reads begins with its isolation level, and may be idle for
 * long.
 */
const WRITE_BEGINNING = /^begin\b/
const WRITE_SETTING = `set local idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`

/**
 * Connection that keeps its server process. It gives the statements of `keepPrepared` a name, with which the driver
 * prepares them. Kysely offers no other way.
 */
class PreparingClient extends pg.Client {
  override readonly query = ((statement: string, ...rest: [values?: unknown[]]) => {
    const name = preparedName(statement)
    const startedMs = performance.now()
    const answer =
      typeof statement === 'string' && WRITE_BEGINNING.test(statement)
        ? super.query(`${statement}; ${WRITE_SETTING}`)
        : name === undefined
          ? super.query(statement, ...rest)
          : super.query({ name, text: statement, values: rest[0] })
    const record = workRecord()
    return record === null ? answer : answer.finally(() => record.statement('postgresql', statement, startedMs))
  }) as pg.Client['query']
}

/** Beginning of any transaction of Kysely. */
const BEGINNING = /^(?:begin|start transaction)\b/

/**
 * Connection that has a server process during a transaction only. A prepared statement, or a setting of the session,
 * would stay with the server process, which serves other connections next.
 */
class BorrowingClient extends pg.Client {
  override readonly query = ((statement: string, ...rest: [values?: unknown[]]) =>
    typeof statement === 'string' && BEGINNING.test(statement)
      ? super.query(`${statement}; ${settings('local')}${WRITE_BEGINNING.test(statement) ? `; ${WRITE_SETTING}` : ''}`)
      : super.query(statement, ...rest)) as pg.Client['query']
}

interface PostgresOptions {
  readonly url: string
  readonly poolMax?: number
  /** Called when an idle connection breaks. The pool replaces the connection itself. */
  readonly onError?: (error: Error) => void
}

interface CountedDialect {
  readonly dialect: Dialect
  /** Returns the present state of the pool's connections. */
  readonly connections: () => Omit<Connections, 'writesWaiting'>
}

export function postgresDialect({ url, poolMax = POOL_MAX, onError }: PostgresOptions): CountedDialect {
  const pooling =
    poolingOf(url) === 'transaction'
      ? { Client: BorrowingClient }
      : { Client: PreparingClient, onConnect: (client: pg.ClientBase) => client.query(settings('session')) }
  const pool = new pg.Pool({
    ...pooling,
    connectionString: withoutPooling(url),
    max: poolMax,
    types,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    keepAlive: true,
    application_name: APPLICATION_NAME,
  })
  pool.on('error', (error) => onError?.(error))
  // The pool listens to idle connections only. Without this listener, a connection that breaks between two statements
  // of a transaction would end the process. The next statement reports the error.
  pool.on('connect', (client) => {
    client.on('error', () => undefined)
    withCertainCommits(client, (mark) => outcomeOf(url, mark, CONNECTION_WAIT_MS))
  })
  // One tenant may have half of the connections. Work without a tenant, such as checking a credential, may have all.
  const fair = new FairSlots({
    slots: poolMax,
    perOwner: Math.max(1, Math.floor(poolMax / 2)),
    waitMs: CONNECTION_WAIT_MS,
  })
  return {
    dialect: new PostgresDialect({ pool: fairPool(pool, fair) }),
    connections: () => ({
      inUse: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: fair.waiting,
      max: poolMax,
    }),
  }
}

/**
 * Returns a pool that tenants share fairly. The queue of `pg.Pool` is first come, first served, so the tenant with the
 * most requests would have the pool to itself.
 */
function fairPool(pool: pg.Pool, fair: FairSlots): Pick<pg.Pool, 'connect' | 'end' | 'options'> {
  const owners = new WeakMap<object, string>()
  const patience = new Patience(CONNECTION_WAIT_MS)
  pool.on('release', (_error, client) => fair.leave(owners.get(client)!))
  const connect = async (): Promise<pg.PoolClient> => {
    const owner = workOwner()
    return spending('wait', () => connectAs(owner))
  }
  const connectAs = async (owner: string): Promise<pg.PoolClient> => {
    await fair.enter(owner)
    try {
      const client = await patience.connect(() => pool.connect())
      owners.set(client, owner)
      return client
    } catch (error) {
      fair.leave(owner)
      throw error
    }
  }
  return { connect: connect as pg.Pool['connect'], end: () => pool.end(), options: pool.options }
}

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Fault, Outage } from '../faults.ts'
import { withoutPooling } from './postgres-address.ts'
import { APPLICATION_NAME } from './older-connections.ts'

/** Name of a transaction of a PostgreSQL server, which stays valid after its connection is lost. */
export interface TransactionMark {
  /** Number of the transaction (64 bits). */
  readonly id: string
  /**
   * Time at which the server began its statistics. It begins them anew after a crash, and then it may give the numbers
   * of lost transactions again.
   */
  readonly countedSince: string | null
}

export type CommitOutcome = 'committed' | 'aborted' | 'unknown'

/** Pause between two questions. */
const ASK_AGAIN_MS = 100
/** Time for one question, after which another connection asks again. */
const ASK_TIMEOUT_MS = 2_000
/** SQLSTATE for a number that the server has not given yet: it crashed, and came back without the transaction. */
const NOT_GIVEN = '22023'

/** The connection was lost during COMMIT, and whether the transaction is stored could not be found out. */
export class CommitUnknown extends Outage {
  override readonly name = 'CommitUnknown'

  constructor(cause: Error) {
    super('the connection was lost during COMMIT, and the server does not say whether it is done', { cause })
  }

  toFault(cause: unknown): Fault {
    const msg = 'Storage was lost while it stored this, which may be done: read before you try again'
    return new Fault('unavailable', [{ loc: [], msg, type: 'outcome_unknown' }], { retryAfterSeconds: 1, cause })
  }
}

/**
 * Asks the server for the outcome of a transaction, over connections of its own: those of the pool may be lost too, or
 * all be in use.
 * @param waitMs time that the server may be away, or the transaction still be running
 */
export async function outcomeOf(url: string, mark: TransactionMark, waitMs: number): Promise<CommitOutcome> {
  const deadline = performance.now() + waitMs
  for (;;) {
    const outcome = await ask(url, mark)
    if (outcome !== null) return outcome
    if (performance.now() + ASK_AGAIN_MS > deadline) return 'unknown'
    await sleep(ASK_AGAIN_MS)
  }
}

/** Asks once. @returns null while the server does not say */
async function ask(url: string, { id, countedSince }: TransactionMark): Promise<CommitOutcome | null> {
  const client = new pg.Client({
    connectionString: withoutPooling(url),
    connectionTimeoutMillis: ASK_TIMEOUT_MS,
    query_timeout: ASK_TIMEOUT_MS,
    application_name: APPLICATION_NAME,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ status: string | null; since: string | null }>(
      'select pg_xact_status($1::xid8) as status, pg_stat_get_bgwriter_stat_reset_time()::text as since',
      [id],
    )
    const { status, since } = rows[0]
    if (status === 'in progress') return null
    if (status === 'aborted') return 'aborted'
    return status === 'committed' && since === countedSince ? 'committed' : 'unknown'
  } catch (error) {
    return (error as { code?: string }).code === NOT_GIVEN ? 'aborted' : null
  } finally {
    await client.end().catch(() => undefined)
  }
}

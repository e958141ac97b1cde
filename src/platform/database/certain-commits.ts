import pg from 'pg'
import { type CommitOutcome, CommitUnknown, type TransactionMark } from './commit-outcome.ts'

/**
 * Statements that begin a transaction and read its mark, in one round trip. Reading the mark gives the transaction a
 * number, which it would get with its first change anyway. A streaming replica has no number to give, and refuses
 * changes.
 */
const MARKED_BEGINNING = `begin; select
  case when not pg_is_in_recovery() then pg_current_xact_id()::text end as id,
  pg_stat_get_bgwriter_stat_reset_time()::text as "countedSince"`

/** SQLSTATEs with which a server, or a pooler before it, ends a connection, also in the middle of a COMMIT. */
const ENDED = /^(?:08|57P)/

interface MarkRow {
  readonly id: string | null
  readonly countedSince: string | null
}

type Query = (statement: string, values?: unknown[]) => Promise<unknown>

/**
 * Makes a connection find out the outcome of a transaction whose COMMIT got no answer. If the transaction is stored,
 * COMMIT succeeds; if not, COMMIT fails with the driver's error; if the server does not say, it fails with
 * `CommitUnknown`.
 * @param outcomeOf asks the server over another connection
 */
export function withCertainCommits(
  client: pg.PoolClient,
  outcomeOf: (mark: TransactionMark) => Promise<CommitOutcome>,
): void {
  const query = client.query.bind(client) as Query
  let mark: TransactionMark | null = null
  let loss: Error | null = null
  let isGone = false
  client.once('end', () => (isGone = true))

  const begin = async (): Promise<unknown> => {
    mark = null
    const results = (await query(MARKED_BEGINNING)) as readonly pg.QueryResult<MarkRow>[]
    const { id, countedSince } = results[1].rows[0]
    if (id !== null) mark = { id, countedSince }
    return results
  }

  const commit = async (): Promise<unknown> => {
    // A connection that was lost earlier takes no COMMIT any more.
    const isSent = !isGone
    try {
      return await query('commit')
    } catch (error) {
      if (mark === null || !isSent || !isLost(error)) throw error
      const outcome = await outcomeOf(mark)
      // A pooler may keep a connection that has lost its server. The pool must not give it out again.
      void client.end().catch(() => undefined)
      if (outcome === 'committed') return { command: 'COMMIT', rowCount: null, rows: [] }
      loss = outcome === 'unknown' ? new CommitUnknown(error) : error
      throw loss
    }
  }

  client.query = ((statement: string, ...rest: [values?: unknown[]]) => {
    if (statement === 'begin') return begin()
    if (statement === 'commit') return commit()
    // Kysely rolls back after a failed COMMIT, and throws the error of the rollback if there is one.
    if (statement === 'rollback' && loss !== null) return Promise.reject(loss)
    return query(statement, ...rest)
  }) as typeof client.query
}

/** Tells whether an error means that the connection is lost, and not that the server refused the transaction. */
function isLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return !(error instanceof pg.DatabaseError) || ENDED.test(error.code ?? '')
}

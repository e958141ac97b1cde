import pg from 'pg'
import { type CommitOutcome, CommitUnknown, type TransactionMark } from './commit-outcome.ts'

/**
 * Begins a transaction and marks it, in one round trip. The mark gives it a number, which it would get with its first
 * change anyway. A server that only follows another has none to give, and refuses the changes themselves.
 */
const MARKED_BEGINNING = `begin; select
  case when not pg_is_in_recovery() then pg_current_xact_id()::text end as id,
  pg_stat_get_bgwriter_stat_reset_time()::text as "countedSince"`

/** SQLSTATE of a server, or of a pooler before it, that ends a connection, in the middle of a COMMIT too. */
const ENDED = /^(?:08|57P)/

interface MarkRow {
  readonly id: string | null
  readonly countedSince: string | null
}

type Query = (statement: string, values?: unknown[]) => Promise<unknown>

/**
 * Makes a connection find out what became of a transaction whose COMMIT got no answer. If it is stored, COMMIT succeeds;
 * if not, COMMIT fails as it did; if nobody can say, it fails with `CommitUnknown`.
 * @param outcomeOf asks the server over another connection
 */
export function withCertainCommits(
  client: pg.PoolClient,
  outcomeOf: (mark: TransactionMark) => Promise<CommitOutcome>,
): void {
  const query = client.query.bind(client) as Query
  let mark: TransactionMark | null = null
  let lost: Error | null = null
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
      // A pooler may keep a connection that has lost its server. The pool must not give it to anybody else.
      void client.end().catch(() => undefined)
      if (outcome === 'committed') return { command: 'COMMIT', rowCount: null, rows: [] }
      lost = outcome === 'unknown' ? new CommitUnknown(error) : error
      throw lost
    }
  }

  client.query = ((statement: string, ...rest: [values?: unknown[]]) => {
    if (statement === 'begin') return begin()
    if (statement === 'commit') return commit()
    // Kysely rolls back what failed, and throws what that fails with.
    if (statement === 'rollback' && lost !== null) return Promise.reject(lost)
    return query(statement, ...rest)
  }) as typeof client.query
}

/** Whether the connection is gone, and not the transaction refused. */
function isLost(error: unknown): error is Error {
  if (!(error instanceof Error)) return false
  return !(error instanceof pg.DatabaseError) || ENDED.test(error.code ?? '')
}

import type { Database, Queries, Tx } from '../../../platform/database/database.ts'
import { oauthTransaction } from '../../../platform/hidden-parameters.ts'

/** Runs `work` in the transaction of `withOAuthTransaction`, or without one in a transaction of its own. */
export function writeIn<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = oauthTransaction()
  return tx === undefined ? database.write(work) : work(tx)
}

/** Returns the transaction of `withOAuthTransaction` if one runs, else the database, for reads. */
export function queriesOf(database: Database): Queries {
  return oauthTransaction() ?? database.queries
}

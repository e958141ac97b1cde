import type { Database, Queries, Tx } from '../../../platform/database/database.ts'
import { oauthTransaction } from '../../../platform/hidden-parameters.ts'

/** `database.write` of the OAuth server's objects: in the transaction that runs, or in one of its own. */
export function writeIn<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = oauthTransaction()
  return tx === undefined ? database.write(work) : work(tx)
}

/** Where the OAuth server's objects are read: in the transaction that runs, where there is one. */
export function queriesOf(database: Database): Queries {
  return oauthTransaction() ?? database.queries
}

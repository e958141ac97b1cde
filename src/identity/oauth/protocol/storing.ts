import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Queries, Tx } from '../../../platform/database/database.ts'

const running = new AsyncLocalStorage<Tx>()

/** Makes all reads and writes of the OAuth server during `work` part of our transaction. */
export function storingIn<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  return running.run(tx, work)
}

/** Runs `work` in the transaction of `storingIn`, or without one in a transaction of its own. */
export function writeIn<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = running.getStore()
  return tx === undefined ? database.write(work) : work(tx)
}

/** The transaction of `storingIn` if one runs, else the database, for reads. */
export function queriesOf(database: Database): Queries {
  return running.getStore() ?? database.queries
}

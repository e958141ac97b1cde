import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Queries, Tx } from '../../../platform/database/database.ts'

const running = new AsyncLocalStorage<Tx>()

/** Lets what the OAuth server reads and stores during `work` be part of a transaction of ours. */
export function storingIn<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  return running.run(tx, work)
}

/** `database.write` of the OAuth server's objects: in the transaction that runs, or in one of its own. */
export function writeIn<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const tx = running.getStore()
  return tx === undefined ? database.write(work) : work(tx)
}

/** Where the OAuth server's objects are read: in the transaction that runs, where there is one. */
export function queriesOf(database: Database): Queries {
  return running.getStore() ?? database.queries
}

/**
 * The values that travel beside the arguments of functions, all of them. Whoever reads a call does not see them, so
 * there is one only where a library stands between those who know a value and those who need it, and passes nothing on.
 * Everything else is an argument; `test/tidy/reserved.ts` holds this.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from './database/database.ts'

/**
 * The tenant that statements are for: tenants take turns at SQLite's one writer and at PostgreSQL's connections. Kysely
 * asks its driver for a connection without saying what for. A Kysely for each tenant would have to be handed to every
 * read, and a read that were handed another would take connections without a bound.
 */
const workOwners = new AsyncLocalStorage<string>()

/**
 * The transaction in which the OAuth server is to read and store its objects. `oidc-provider` calls the adapter that
 * does both with the object alone; outside of the requests that it answers it has no context of its own either.
 */
const oauthTransactions = new AsyncLocalStorage<Tx>()

/** Runs work for a tenant; empty for what is nobody's. */
export function workFor<T>(owner: string, work: () => T): T {
  return workOwners.run(owner, work)
}

/** The tenant whose work runs; empty where that is nobody's. */
export function workOwner(): string {
  return workOwners.getStore() ?? ''
}

/** Lets what the OAuth server reads and stores during `work` be part of a transaction of ours. */
export function storingIn<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  return oauthTransactions.run(tx, work)
}

/** The transaction for what the OAuth server reads and stores; undefined where it needs one of its own. */
export function oauthTransaction(): Tx | undefined {
  return oauthTransactions.getStore()
}

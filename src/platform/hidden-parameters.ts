/**
 * Holds all values that reach functions without being arguments. A reader of a call cannot see such values. So each one
 * needs a library that stands between the code that sets it and the code that reads it, and has no parameter for it.
 * `test/tidy/reserved.ts` forbids further ones.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from './database/database.ts'
import type { WorkRecord } from './telemetry/work-record.ts'

interface Work {
  readonly owner: string
  readonly record: WorkRecord | null
}

/**
 * The tenant that statements run for, and the record of the request. Tenants take turns at SQLite's one writer and at
 * PostgreSQL's connections, but Kysely asks its driver for a connection without naming a tenant. With one Kysely per
 * tenant, every read would need the right one, and a wrong one would bypass the bounds. The driver notes in the record
 * how long statements took.
 */
const works = new AsyncLocalStorage<Work>()

/**
 * The transaction for the OAuth server's reads and writes. `oidc-provider` calls its adapter with the stored object
 * only, and has no context of its own outside of requests that it answers.
 */
const oauthTransactions = new AsyncLocalStorage<Tx>()

/**
 * Runs work for a tenant.
 * @param owner id of the tenant; empty for work for no tenant
 * @param record notes what the work spends its time on; by default the record of the running work
 */
export function workFor<T>(owner: string, work: () => T, record: WorkRecord | null = workRecord()): T {
  return works.run({ owner, record }, work)
}

/** Returns the tenant of the running work; empty for work for no tenant. */
export function workOwner(): string {
  return works.getStore()?.owner ?? ''
}

/** Returns the record of the running request; null outside of requests. */
export function workRecord(): WorkRecord | null {
  return works.getStore()?.record ?? null
}

/** Runs `work`, during which the OAuth server reads and writes in the transaction. */
export function withOAuthTransaction<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  return oauthTransactions.run(tx, work)
}

/** Returns the transaction of `withOAuthTransaction`; undefined when the OAuth server should open its own. */
export function oauthTransaction(): Tx | undefined {
  return oauthTransactions.getStore()
}

/**
 * All values that reach functions without being arguments. A reader of a call cannot see such values, so each one needs
 * a library that stands between giver and user and passes nothing on. `test/tidy/reserved.ts` forbids further ones.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from './database/database.ts'
import type { WorkRecord } from './telemetry/work-record.ts'

interface Work {
  readonly owner: string
  readonly record: WorkRecord | null
}

/**
 * The tenant that statements run for; tenants take turns at SQLite's one writer and at PostgreSQL's connections. Kysely
 * asks its driver for a connection without saying for whom. With one Kysely per tenant, every read would need the right
 * one, and a wrong one would bypass the bounds. The record of the request goes along for the same reason: the driver
 * notes in it what the statements took.
 */
const works = new AsyncLocalStorage<Work>()

/**
 * The transaction for the OAuth server's reads and writes. `oidc-provider` calls its adapter with the object only, and
 * has no context of its own outside of requests that it answers.
 */
const oauthTransactions = new AsyncLocalStorage<Tx>()

/**
 * Runs work for a tenant; the empty string is work for no tenant.
 * @param record where it is noted what the work spends its time on; by default that of the running work
 */
export function workFor<T>(owner: string, work: () => T, record: WorkRecord | null = workRecord()): T {
  return works.run({ owner, record }, work)
}

/** The tenant of the running work; empty for work without one. */
export function workOwner(): string {
  return works.getStore()?.owner ?? ''
}

/** The record of the running request; null outside of requests. */
export function workRecord(): WorkRecord | null {
  return works.getStore()?.record ?? null
}

/** Makes the OAuth server's reads and writes during `work` part of our transaction. */
export function storingIn<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  return oauthTransactions.run(tx, work)
}

/** The transaction for the OAuth server's reads and writes; undefined when it should open its own. */
export function oauthTransaction(): Tx | undefined {
  return oauthTransactions.getStore()
}

import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * The tenant that statements are for: tenants take turns at SQLite's one writer and at PostgreSQL's connections. Kysely
 * has no other way to tell a driver.
 */
const owners = new AsyncLocalStorage<string>()

/** Runs work for a tenant; empty for what is nobody's. */
export function workFor<T>(owner: string, work: () => T): T {
  return owners.run(owner, work)
}

/** The tenant whose work runs; empty where that is nobody's. */
export function workOwner(): string {
  return owners.getStore() ?? ''
}

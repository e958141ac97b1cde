import type { Caller } from '../../platform/access/caller.ts'
import type { Queries } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { ApiKeyRow } from '../../platform/database/tables.ts'
import * as store from './store.ts'

/** Place of an API key in a list; `createdAt` in milliseconds since 1970. */
export type KeyPlace = readonly [createdAt: number, id: string]

/** Returns the key with an id, also a revoked one; null when there is none. */
export function findKey(db: Queries, tenantId: string, id: string): Promise<ApiKeyRow | null> {
  return store.findApiKey(db, tenantId, id)
}

/** Returns the key that a caller asks with; null for any other credential. */
export async function keyOfCaller(
  db: Queries,
  { tenant, credentialKind, credentialId }: Caller,
): Promise<ApiKeyRow | null> {
  return credentialKind === 'key' && credentialId !== null ? store.findApiKey(db, tenant.id, credentialId) : null
}

/** Returns a page of a tenant's keys, oldest first. */
export function pageOfKeys(db: Queries, tenantId: string, page: PageOf<KeyPlace>): Promise<Page<ApiKeyRow, KeyPlace>> {
  return readPage(
    tenantId,
    page,
    (after, limit) => store.listApiKeys(db, tenantId, { after, limit }),
    ({ created_at: createdAt, id }): KeyPlace => [createdAt, id],
  )
}

/** Returns all keys of a tenant, oldest first, also revoked ones. */
export function everyKey(db: Queries, tenantId: string): Promise<ApiKeyRow[]> {
  return store.listApiKeys(db, tenantId)
}

/** Returns the names of keys by id, also of revoked keys. Ids that belong to no key are left out. */
export async function keyNames(
  db: Queries,
  tenantId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const rows = await store.findKeys(db, tenantId, [...new Set(ids)])
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/**
 * Locks a key until the transaction ends, so that a revocation comes before or after what the key hands out.
 * @param now milliseconds since 1970
 * @returns whether the key is valid
 */
export function lockValidKey(tx: Queries, tenantId: string, id: string, now: number): Promise<boolean> {
  return store.lockApiKey(tx, tenantId, id, now)
}

/** Counts the valid keys that a key issued directly. @param now milliseconds since 1970 */
export async function countValidIssuedBy(db: Queries, tenantId: string, id: string, now: number): Promise<number> {
  return (await store.listApiKeys(db, tenantId)).filter(
    (key) =>
      key.issuer_kind === 'key' &&
      key.issuer_id === id &&
      key.revoked_at === null &&
      (key.expires_at === null || key.expires_at > now),
  ).length
}

/**
 * Counts, by tenant, the valid keys that outlive the key that issued them, as earlier versions allowed.
 * @param now milliseconds since 1970
 */
export function countOutlivingKeys(db: Queries, now: number): Promise<{ tenant_id: string; count: number }[]> {
  return store.outlivingKeys(db, now)
}

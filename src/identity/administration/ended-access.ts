import type { ApiKeyRow, OAuthClientRow } from '../../platform/database/tables.ts'
import { clientOf } from '../oauth/clients/registrant-rules.ts'

/** A key or client, for people to recognise. */
interface Named {
  readonly id: string
  readonly name: string
}

/** What ended for good because a user lost access, or kept less of it. */
export interface EndedAccess {
  /** Keys that are revoked. */
  readonly keys: readonly Named[]
  /** Clients that are removed. */
  readonly clients: readonly Named[]
  /** Keys that go on without the scope that no role bounds. */
  readonly narrowedKeys: readonly Named[]
  /** Clients that go on as they are, without the registration token by which they could be changed. */
  readonly lockedClients: readonly Named[]
}

/** What a change ends that takes nothing away. */
export const NOTHING_ENDED: EndedAccess = { keys: [], clients: [], narrowedKeys: [], lockedClients: [] }

/** Names those of the keys that have these ids. A key that had expired already is left out: it ended by itself. */
export function endedKeys(keys: readonly ApiKeyRow[], ids: readonly string[]): Named[] {
  const now = Date.now()
  return keys
    .filter(({ id, expires_at: expiresAt }) => ids.includes(id) && (expiresAt === null || expiresAt > now))
    .map(({ id, name }) => ({ id, name }))
}

/** Names clients. */
export function endedClients(clients: readonly OAuthClientRow[]): Named[] {
  return clients.map(clientOf).map(({ client_id: id, client_name: name }) => ({ id, name }))
}

/** Returns what two steps of one change ended. */
export function togetherEnded(first: EndedAccess, second: EndedAccess): EndedAccess {
  return {
    keys: [...first.keys, ...second.keys],
    clients: [...first.clients, ...second.clients],
    narrowedKeys: [...first.narrowedKeys, ...second.narrowedKeys],
    lockedClients: [...first.lockedClients, ...second.lockedClients],
  }
}

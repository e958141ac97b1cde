import type { TenantSettings } from '../access/caller.ts'
import type { Database } from '../database/database.ts'
import type { Realm } from '../tenants/realm.ts'
import { parseSettings } from '../tenants/settings.ts'
import { registrationSettings } from './store.ts'

type Mode = TenantSettings['oauthRegistration']

/** How clients may register at an issuer at the moment. */
export interface Registering {
  /** Whether there is any registering at all. */
  readonly isOffered: boolean
  /** Whether assistants may register themselves: some tenant lets them, and whoever consents must be of such a one. */
  readonly isOpen: boolean
}

/** What the tenants of a realm let clients do; at the shared address there may be several answers. */
export async function registeringAt({ queries }: Database, realm: Realm): Promise<Registering> {
  const settings = await registrationSettings(queries, realm)
  const modes = new Set<Mode>(settings.map((stored) => parseSettings(stored).oauthRegistration))
  return { isOffered: modes.has('open') || modes.has('key'), isOpen: modes.has('open') }
}

export async function isOpen(database: Database, realm: Realm): Promise<boolean> {
  return (await registeringAt(database, realm)).isOpen
}

/** A client that describes itself by a document registers itself as much as one that sends the same. */
export const documentsAreWelcome = isOpen

import type { TenantSettings } from '../access/caller.ts'
import type { Database } from '../database/database.ts'
import { parseSettings } from '../tenants/settings.ts'
import type { Realm } from './realm.ts'
import { registrationSettings } from './store.ts'

type Mode = TenantSettings['oauthRegistration']

/** How the tenants of a realm let clients register; at the shared address there may be several answers. */
async function modesOf({ queries }: Database, realm: Realm): Promise<Set<Mode>> {
  const settings = await registrationSettings(queries, realm)
  return new Set(settings.map((stored) => parseSettings(stored).oauthRegistration))
}

/** Whether assistants may register themselves: some tenant here lets them, and whoever consents must be of such a one. */
export async function isOpen(database: Database, realm: Realm): Promise<boolean> {
  return (await modesOf(database, realm)).has('open')
}

/** A client that describes itself by a document registers itself as much as one that sends the same. */
export const documentsAreWelcome = isOpen

/** Whether there is any registering here at all. */
export async function isRegistrationOffered(database: Database, realm: Realm): Promise<boolean> {
  const modes = await modesOf(database, realm)
  return modes.has('open') || modes.has('key')
}

import type { TenantSettings } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ownerAmong, type Realm, realmOfTenant, spellingsOf } from '../../tenants/realm.ts'
import { parseSettings } from '../../tenants/settings.ts'
import { registrationSettings, registrationSettingsAt } from '../clients/client-store.ts'

type Mode = TenantSettings['oauthRegistration']

/** How clients may register at an issuer at the moment. */
export interface Registering {
  /** Whether there is any registering at all. */
  readonly isOffered: boolean
  /** Whether assistants may register themselves: some tenant lets them, and whoever consents must be of such a one. */
  readonly isOpen: boolean
}

interface Issuer {
  readonly realm: Realm
  readonly registering: Registering
}

/** The issuer that a request was sent to. */
export type IssuerAt = (request: { readonly host: string }) => Promise<Issuer>

/** What the tenants of a realm let clients do; at the shared address there may be several answers. */
async function registeringAt({ queries }: Database, realm: Realm): Promise<Registering> {
  return registeringOf(await registrationSettings(queries, realm))
}

/** The realm of the host a request was sent to with how clients may register there, in one read. */
export async function realmAndRegistering({ queries }: Database, rawHost: string, publicUrl: string): Promise<Issuer> {
  const { host, hostname } = spellingsOf(rawHost)
  const rows = await registrationSettingsAt(queries, [host, hostname])
  const owner = ownerAmong(rows, host)
  const own = rows.filter((row) => row.tenant_id === owner.tenant_id)
  return {
    realm: realmOfTenant(owner, publicUrl),
    registering: registeringOf(own.map(({ settings }) => settings)),
  }
}

function registeringOf(settings: readonly string[]): Registering {
  const modes = new Set<Mode>(settings.map((stored) => parseSettings(stored).oauthRegistration))
  return { isOffered: modes.has('open') || modes.has('key'), isOpen: modes.has('open') }
}

/** Whether assistants may register themselves with some tenant of the realm. */
export async function isOpen(database: Database, realm: Realm): Promise<boolean> {
  return (await registeringAt(database, realm)).isOpen
}

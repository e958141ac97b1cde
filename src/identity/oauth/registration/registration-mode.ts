import type { TenantSettings } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ownerAmong, type Realm, realmOfTenant, spellingsOf } from '../../tenants/realm.ts'
import { parseSettings } from '../../tenants/settings.ts'
import { registrationSettings, registrationSettingsAt } from '../clients/client-store.ts'

type Mode = TenantSettings['oauthRegistration']

/** Ways in which clients may register at an issuer now. */
export interface RegistrationModes {
  /** Whether clients may register at all. */
  readonly isOffered: boolean
  /** Whether a tenant lets clients register themselves. Only people of such a tenant may consent to such clients. */
  readonly mayRegisterThemselves: boolean
}

interface Issuer {
  readonly realm: Realm
  readonly modes: RegistrationModes
}

/** Finds the issuer that a request was sent to. */
export type IssuerAt = (request: { readonly host: string }) => Promise<Issuer>

/** Returns how clients may register with the tenants of a realm. The shared address has several tenants. */
async function modesAt({ queries }: Database, realm: Realm): Promise<RegistrationModes> {
  return modesOf(await registrationSettings(queries, realm))
}

/** Reads the realm of a host, and how clients may register with its tenants, in one query. */
export async function issuerOf({ queries }: Database, rawHost: string, publicUrl: string): Promise<Issuer> {
  const { host, hostname } = spellingsOf(rawHost)
  const rows = await registrationSettingsAt(queries, [host, hostname])
  const owner = ownerAmong(rows, host)
  const ofOwner = rows.filter((row) => row.tenant_id === owner.tenant_id)
  return {
    realm: realmOfTenant(owner, publicUrl),
    modes: modesOf(ofOwner.map(({ settings }) => settings)),
  }
}

function modesOf(settings: readonly string[]): RegistrationModes {
  const used = new Set<Mode>(settings.map((stored) => parseSettings(stored).oauthRegistration))
  return { isOffered: used.has('open') || used.has('key'), mayRegisterThemselves: used.has('open') }
}

/** Tells whether clients may register themselves with at least one tenant of the realm. */
export async function mayRegisterThemselves(database: Database, realm: Realm): Promise<boolean> {
  return (await modesAt(database, realm)).mayRegisterThemselves
}

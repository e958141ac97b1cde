import { Fault } from '../../platform/faults.ts'
import { newSecret } from '../../platform/random-secret.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { realmOfTenant } from './realm.ts'

/** Pages of the console that a link of a tenant opens. */
type LinkedPage = 'invitation' | 'new-password'

/**
 * Makes a link to a page of the tenant. Its token stands behind the `#`, which browsers send to no server.
 * @returns the link, and the token in it
 */
export function newLink(tenant: TenantRow, publicUrl: string, page: LinkedPage): { link: string; token: string } {
  const token = newSecret()
  return { link: `${realmOfTenant(tenant, publicUrl).issuer}/console/${page}#${token}`, token }
}

/** Makes the fault of a link that is used, replaced, withdrawn, over or unknown. The message does not tell which. */
export function unusableLink(): Fault {
  const msg = 'This link does not work any more; ask for a new one'
  return new Fault('not_found', [{ loc: ['body', 'token'], msg, type: 'not_found' }])
}

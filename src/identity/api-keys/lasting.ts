import type { Caller } from '../../platform/access/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { forbidden, unauthorized } from '../../platform/faults.ts'
import { findApiKey, lockApiKey } from './store.ts'

/**
 * Lets only a credential without an end hand out access that has none: a signed-in person, or an API key that does not
 * expire. Call it in the transaction that hands the access out; a key that is being revoked is then refused.
 * @throws Fault forbidden or unauthorized
 */
export async function requireLasting(tx: Tx, { tenant, credentialKind, credentialId }: Caller): Promise<void> {
  const loc = ['header', 'authorization']
  if (credentialKind === 'session') return
  if (credentialKind !== 'key') throw forbidden(loc, 'An access token gives nobody access; sign in or use an API key')
  if (!(await lockApiKey(tx, tenant.id, credentialId ?? '', Date.now())))
    throw unauthorized(loc, 'The API key is no longer valid')
  const key = await findApiKey(tx, tenant.id, credentialId ?? '')
  if (key?.expires_at !== null) throw forbidden(loc, 'An API key that expires gives nobody access; sign in to do this')
}

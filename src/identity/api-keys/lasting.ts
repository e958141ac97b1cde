import type { Caller } from '../../platform/access/caller.ts'
import type { Tx } from '../../platform/database/database.ts'
import { forbidden, unauthorized } from '../../platform/faults.ts'
import { findApiKey, lockApiKey } from './store.ts'

/**
 * Refuses to hand out access without an end by a credential that ends. A signed-in person may hand it out, and an API
 * key that does not expire. Call this in the transaction that hands the access out, so that the key cannot be revoked
 * meanwhile.
 * @throws Fault forbidden for an access token or a key that expires; unauthorized for a key that has ended
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

import type { Database } from '../../platform/database/database.ts'
import { type CredentialFacts, type CredentialLookup, credentialReader } from './store.ts'

/** Most credentials remembered while nothing in the database changes; then all are forgotten. */
const REMEMBERED_MAX = 1_000

/**
 * The look-up of a credential, which runs on every request. While the database can tell that nothing was committed, the
 * last answer is used again. So a revoked key is still refused on its next request. Asking each time makes a search of
 * 10,000 entries cost 1.15 to 1.5 times as much processor time (`bench:search`).
 * @returns a function of the credential and the host's two spellings (with and without port)
 */
export function credentialLookup(database: Database): CredentialLookup {
  const read = credentialReader(database)
  const known = new Map<string, CredentialFacts>()
  let knownAt: number | null = null
  return async (credential, host, hostname) => {
    const at = database.changeNumber()
    if (at === null) return read(credential, host, hostname)
    if (at !== knownAt || known.size >= REMEMBERED_MAX) known.clear()
    knownAt = at
    const name = `${credential.kind} ${credential.hash} ${host}`
    const remembered = known.get(name)
    if (remembered !== undefined) return remembered
    const facts = await read(credential, host, hostname)
    // Another look-up may have seen a newer state meanwhile; then this answer must not be remembered.
    if (facts !== null && knownAt === at) known.set(name, facts)
    return facts
  }
}

import type { Database } from '../../platform/database/database.ts'
import { type CredentialFacts, type CredentialLookup, credentialReader } from './store.ts'

/** Most credentials in the cache; a further one empties it. */
const CACHE_MAX = 1_000

/**
 * Makes the look-up of a credential, which runs on every request. While the database can tell that nothing was
 * committed, the look-up returns its last answer again. A revoked key is still refused on its next request, since the
 * revocation is a commit. A query for each request makes a search of 10,000 entries cost 1.15 to 1.5 times as much
 * processor time, measured once when the cache was made.
 */
export function credentialLookup(database: Database): CredentialLookup {
  const read = credentialReader(database)
  const cache = new Map<string, CredentialFacts>()
  /** Number of the last commit that the cache knows. */
  let cacheChange: number | null = null
  return async (credential, host, hostname) => {
    const change = database.changeNumber()
    if (change === null) return read(credential, host, hostname)
    if (change !== cacheChange || cache.size >= CACHE_MAX) cache.clear()
    cacheChange = change
    const name = `${credential.kind} ${credential.hash} ${host}`
    const cached = cache.get(name)
    if (cached !== undefined) return cached
    const facts = await read(credential, host, hostname)
    // Another look-up may have read a newer state meanwhile; then the cache must not take this answer.
    if (facts !== null && cacheChange === change) cache.set(name, facts)
    return facts
  }
}

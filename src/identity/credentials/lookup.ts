import type { Database } from '../../platform/database/database.ts'
import { type CredentialFacts, type CredentialLookup, credentialReader } from './store.ts'

/** Credentials remembered while nothing in the database changes; all are forgotten when there are more. */
const REMEMBERED_MAX = 1_000

/**
 * The look-up of a credential, which runs on every request. Where the database can tell that nothing at all was
 * committed since, the last answer is the answer; a revoked key is refused on its next request all the same.
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
    // Others may have seen a later state meanwhile, under which this reading must not be filed.
    if (facts !== null && knownAt === at) known.set(name, facts)
    return facts
  }
}

import type { Database } from '../../platform/database/database.ts'
import { brokenReferences, brokenVersionChains } from './writes/consistency-store.ts'

/** The inconsistencies in what is stored of entries, over all tenants. */
interface Inconsistencies {
  /** Rows that refer to nothing, counted by what they are. */
  readonly references: readonly { readonly what: string; readonly count: number }[]
  /** How many entries lack earlier versions. */
  readonly versionChains: number
}

/** Looks whether everything that entries refer to exists, in all tenants. Reads every entry. */
export async function inconsistenciesOf(database: Database): Promise<Inconsistencies> {
  const references = await brokenReferences(database)
  return { references, versionChains: await brokenVersionChains(database.queries) }
}

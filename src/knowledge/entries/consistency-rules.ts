import type { Database } from '../../platform/database/database.ts'
import { brokenReferences, brokenVersionChains } from './writes/consistency-store.ts'

/** Inconsistencies of the stored entries of all tenants. */
interface Inconsistencies {
  /** Counts of rows that refer to nothing, each with its description, such as "entries without their category". */
  readonly references: readonly { readonly what: string; readonly count: number }[]
  /** Number of entries that lack earlier versions. */
  readonly versionChains: number
}

/** Returns the inconsistencies of the entries of all tenants. Reads every entry. */
export async function inconsistenciesOf(database: Database): Promise<Inconsistencies> {
  const references = await brokenReferences(database)
  return { references, versionChains: await brokenVersionChains(database.queries) }
}

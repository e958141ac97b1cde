import { sql } from 'kysely'
import type { Queries } from '../../../platform/database/database.ts'
import { pageOf, textBytes } from '../../../platform/database/page.ts'

/** Most rows and bytes of text that one transaction deletes, so that other writers soon have their turn. */
const STEP = { rows: 100, bytes: 4 * 1_024 * 1_024 }
/** Literal rather than a parameter: only then do the databases use the index that has private notes alone. */
const PERSONAL = sql.lit('personal')

/** Returns ids of private notes of a user, stored or in the bin, as many as one transaction should delete. */
export async function privateNotes(
  db: Queries,
  table: 'entries' | 'binned_entries',
  tenantId: string,
  userId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom(table)
    .select(['id', textBytes(table === 'entries' ? ['content'] : ['entry']).as('bytes')])
    .where('tenant_id', '=', tenantId)
    .where('created_by_user_id', '=', userId)
    .where('visibility', '=', PERSONAL)
    .limit(STEP.rows)
    .execute()
  return pageOf(rows, STEP.rows, STEP.bytes).map(({ id }) => id)
}

/**
 * Deletes private versions of entries that their owner has published since, of at most as many entries as one
 * transaction should touch.
 * @returns the number of entries whose versions it deleted
 */
export async function deletePrivateVersions(
  db: Queries,
  table: 'entries' | 'binned_entries',
  tenantId: string,
  userId: string,
): Promise<number> {
  // Both pairs of tables have the columns that the statements name, so they are typed as one pair.
  const versions = (table === 'entries' ? 'entry_versions' : 'binned_entry_versions') as 'entry_versions'
  const owners = table as 'entries'
  const some = await db
    .selectFrom(`${versions} as v`)
    .innerJoin(`${owners} as e`, (join) =>
      join.onRef('e.tenant_id', '=', 'v.tenant_id').onRef('e.id', '=', 'v.entry_id'),
    )
    .select('v.entry_id')
    .distinct()
    .where('v.tenant_id', '=', tenantId)
    .where('v.visibility', '=', PERSONAL)
    .where('e.created_by_user_id', '=', userId)
    .limit(STEP.rows)
    .execute()
  if (some.length === 0) return 0
  await db
    .deleteFrom(versions)
    .where('tenant_id', '=', tenantId)
    .where(
      'entry_id',
      'in',
      some.map((row) => row.entry_id),
    )
    .where('visibility', '=', PERSONAL)
    .execute()
  return some.length
}

import { sql } from 'kysely'
import type { Database, Queries } from '../../../platform/database/database.ts'

/** Number of rows that refer to nothing, because no constraint covers them or constraints were switched off. */
interface BrokenRows {
  /** Description of the rows, for people. */
  readonly what: string
  readonly count: number
}

/** Counts inconsistent rows of all tenants, such as entries whose category does not exist. Leaves out counts of 0. */
export async function brokenReferences({
  queries: db,
  portable,
}: Pick<Database, 'queries' | 'portable'>): Promise<BrokenRows[]> {
  const missing = async (what: string, from: ReturnType<typeof sql>): Promise<BrokenRows> => {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(db)
    return { what, count: rows[0].count }
  }
  const counts = await Promise.all([
    missing(
      'entries without their category',
      sql`entries e where not exists (select 1 from categories c where c.tenant_id = e.tenant_id and c.id = e.category_id)`,
    ),
    missing(
      'entries without their workspace',
      sql`entries e where workspace_id is not null and not exists
        (select 1 from workspaces w where w.tenant_id = e.tenant_id and w.id = e.workspace_id)`,
    ),
    missing(
      'entries without their owner',
      sql`entries e where created_by_user_id is not null and not exists
        (select 1 from users u where u.tenant_id = e.tenant_id and u.id = e.created_by_user_id)`,
    ),
    missing(
      'versions without their entry',
      sql`entry_versions v where not exists (select 1 from entries e where e.tenant_id = v.tenant_id and e.id = v.entry_id)`,
    ),
    missing(
      'vectors without their entry',
      sql`entry_vectors v where not exists (select 1 from entries e where e.tenant_id = v.tenant_id and e.id = v.entry_id)`,
    ),
    missing(
      'tags of entries that lists do not find',
      sql`entries e cross join ${portable.jsonTexts(sql.ref('e.tags'))} as t where not exists
        (select 1 from entry_tags g where g.tenant_id = e.tenant_id and g.tag = t.value
          and g.created_at = e.created_at and g.entry_id = e.id)`,
    ),
    missing(
      'tags that lists find although their entry does not have them',
      sql`entry_tags g where not exists
        (select 1 from entries e cross join ${portable.jsonTexts(sql.ref('e.tags'))} as t
          where e.tenant_id = g.tenant_id and e.id = g.entry_id and e.created_at = g.created_at and t.value = g.tag)`,
    ),
    missing(
      'entries numbered above the watermark of their tenant',
      sql`entries e join tenants t on t.tenant_id = e.tenant_id where e.seq > t.watermark`,
    ),
  ])
  return counts.filter(({ count }) => count > 0)
}

/** Pattern of a tenant's settings that say how long versions are kept. */
const WITH_RETENTION = '%"versionDays":%'

/**
 * Counts the entries without exactly the earlier versions that their version number calls for. Where the tenant's
 * settings say how long versions are kept, the oldest versions may be missing.
 */
export async function brokenVersionChains(db: Queries): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from entries e join tenants t on t.tenant_id = e.tenant_id where e.version <>
      (select count(*) + case when t.settings like ${WITH_RETENTION} then coalesce(min(v.version), e.version) else 1 end
        from entry_versions v
        where v.tenant_id = e.tenant_id and v.entry_id = e.id and v.version between 1 and e.version - 1)`.execute(db)
  return rows[0].count
}

import { sql } from 'kysely'
import type { Queries } from '../../../platform/database/database.ts'
import { comesAfter } from '../../../platform/database/page.ts'

/** Place of a version in a walk along all versions of a tenant. */
export type VersionPlace = readonly [entryId: string, version: number]

export interface ReplacedVersion {
  readonly entry_id: string
  readonly version: number
  /** When the next version or the current entry replaced it, in milliseconds since 1970. */
  readonly replaced_at: number
}

/** Returns at most `rows` earlier versions after a place, by entry and version. */
export async function versionsFrom(
  db: Queries,
  tenantId: string,
  after: VersionPlace | null,
  rows: number,
): Promise<ReplacedVersion[]> {
  const beyond = after === null ? sql`1 = 1` : comesAfter(['entry_id', 'version'], after)
  const result = await sql<ReplacedVersion>`
    select v.entry_id, v.version, coalesce(
      (select n.updated_at from entry_versions n
        where n.tenant_id = v.tenant_id and n.entry_id = v.entry_id and n.version > v.version
        order by n.version limit 1),
      (select e.updated_at from entries e where e.tenant_id = v.tenant_id and e.id = v.entry_id)) as replaced_at
    from (select tenant_id, entry_id, version from entry_versions
      where tenant_id = ${tenantId} and ${beyond} order by entry_id, version limit ${rows}) v
    order by v.entry_id, v.version`.execute(db)
  return result.rows
}

/** Deletes the versions of an entry up to one version. @returns the number of deleted versions */
export async function deleteVersionsUpTo(tx: Queries, tenantId: string, [id, last]: VersionPlace): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('entry_versions')
    .where('tenant_id', '=', tenantId)
    .where('entry_id', '=', id)
    .where('version', '<=', last)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

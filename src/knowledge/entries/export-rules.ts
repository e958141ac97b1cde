import type { Queries } from '../../platform/database/database.ts'
import type { EntryRow, EntryVersionRow } from '../../platform/database/tables.ts'
import { membershipsOf } from './membership/membership-store.ts'
import * as store from './store.ts'

/** Rows that one statement reads. */
const PAGE = 50

/** Entry with the ids of its projects and sites, in order. */
interface PlacedEntry {
  readonly row: EntryRow
  readonly projects: string[]
  readonly sites: string[]
}

/** Yields all entries of a tenant by id, whatever their visibility. */
export async function* everyEntry(db: Queries, tenantId: string): AsyncGenerator<PlacedEntry> {
  for (let after = ''; ;) {
    const rows = await store.entriesAfter(db, tenantId, after, PAGE)
    if (rows.length === 0) return
    after = rows[rows.length - 1].id
    const ids = rows.map(({ id }) => id)
    const projects = await membershipsOf(db, 'project', tenantId, ids)
    const sites = await membershipsOf(db, 'site', tenantId, ids)
    for (const row of rows) yield { row, projects: projects.get(row.id) ?? [], sites: sites.get(row.id) ?? [] }
  }
}

/** Yields the earlier versions of an entry, oldest first. */
export async function* everyVersion(db: Queries, tenantId: string, entryId: string): AsyncGenerator<EntryVersionRow> {
  for (let after = 0; ;) {
    const rows = await store.versionsAfter(db, tenantId, entryId, after, PAGE)
    if (rows.length === 0) return
    after = rows[rows.length - 1].version
    yield* rows
  }
}

import type { Caller } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { PageOf } from '../../../platform/database/page.ts'
import type { ListPosition } from '../../../platform/database/walk.ts'
import { mapInSlices } from '../../../platform/threads/slices.ts'
import type { Entry } from '../contract.ts'
import { entryOf } from '../entry.ts'
import { listEntries } from './list-store.ts'

/** Returns a page of the visible entries of a site, newest first, with expired memory entries. */
export async function entriesOfSite(
  database: Database,
  caller: Caller,
  siteId: string,
  page: PageOf<ListPosition>,
): Promise<{ entries: Entry[]; next: ListPosition | null }> {
  const { rows, next } = await listEntries(database, caller, { siteId, notExpiredAt: null }, page)
  return { entries: await mapInSlices(caller.tenant.id, rows, entryOf), next }
}

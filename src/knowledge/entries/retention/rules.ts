import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../platform/database/database.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import { deleteVersionsUpTo, type ReplacedVersion, type VersionPlace, versionsFrom } from './store.ts'

/** Versions that one statement reads. */
const STEP_ROWS = 500
/** Most versions that one transaction deletes; each may have a megabyte. */
const DELETED_ROWS = 25
const PAUSE_MS = 20

/**
 * Deletes the earlier versions of a tenant's entries that were replaced before a time, in small transactions with
 * pauses. Versions in the bin stay until their entry is purged.
 * @param before milliseconds since 1970
 * @param isEnding tells whether the service is stopping, which ends the deletion early
 * @returns the number of deleted versions
 */
export async function deleteVersionsBefore(
  database: Database,
  tenantId: string,
  before: number,
  isEnding: () => boolean,
): Promise<number> {
  let total = 0
  let place: VersionPlace | null = null
  while (!isEnding()) {
    const step: ReplacedVersion[] = await versionsFrom(database.queries, tenantId, place, STEP_ROWS)
    const due = step.filter(({ replaced_at: at }) => at < before)
    for (let i = 0; i < due.length && !isEnding(); i += DELETED_ROWS) {
      const places = lastOfEach(due.slice(i, i + DELETED_ROWS))
      total += await database.write(async (tx) => {
        // The service counts a tenant's data again only when its watermark has advanced.
        await advanceWatermark(tx, tenantId)
        let deleted = 0
        for (const each of places) deleted += await deleteVersionsUpTo(tx, tenantId, each)
        return deleted
      }, tenantId)
      await pause(PAUSE_MS)
    }
    const end = step.at(-1)
    if (end === undefined || step.length < STEP_ROWS) return total
    place = [end.entry_id, end.version]
    await threadSlices.pause(tenantId)
  }
  return total
}

/** Returns the last of the versions of each entry. */
function lastOfEach(versions: readonly ReplacedVersion[]): VersionPlace[] {
  return [...new Map(versions.map(({ entry_id: id, version }) => [id, version]))]
}

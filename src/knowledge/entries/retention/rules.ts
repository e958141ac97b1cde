import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../platform/database/database.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import { deleteVersionsUpTo, type ReplacedVersion, type VersionPlace, versionsFrom } from './store.ts'

/** Versions that one statement looks at. */
const STEP_ROWS = 500
/** Versions that one transaction deletes; each may have a megabyte. */
const DELETED_ROWS = 25
const PAUSE_MS = 20

/**
 * Deletes the earlier versions of a tenant's entries that were replaced before a time, in small transactions with
 * pauses. What is in the bin goes with the bin.
 * @param before milliseconds since 1970
 * @returns how many
 */
export async function deleteVersionsBefore(
  database: Database,
  tenantId: string,
  before: number,
  isEnding: () => boolean,
): Promise<number> {
  let gone = 0
  let place: VersionPlace | null = null
  while (!isEnding()) {
    const step: ReplacedVersion[] = await versionsFrom(database.queries, tenantId, place, STEP_ROWS)
    const due = step.filter(({ replaced_at: at }) => at < before)
    for (let i = 0; i < due.length && !isEnding(); i += DELETED_ROWS) {
      const places = lastOfEach(due.slice(i, i + DELETED_ROWS))
      gone += await database.write(async (tx) => {
        // What the tenant has is counted again only when it has changed.
        await advanceWatermark(tx, tenantId)
        let deleted = 0
        for (const each of places) deleted += await deleteVersionsUpTo(tx, tenantId, each)
        return deleted
      }, tenantId)
      await pause(PAUSE_MS)
    }
    const end = step.at(-1)
    if (end === undefined || step.length < STEP_ROWS) return gone
    place = [end.entry_id, end.version]
    await threadSlices.pause(tenantId)
  }
  return gone
}

/** The last version of each entry. */
function lastOfEach(versions: readonly ReplacedVersion[]): VersionPlace[] {
  return [...new Map(versions.map(({ entry_id: id, version }) => [id, version]))]
}

import { TIGHT_SHARE } from '../../../search/memory/host/index-budget.ts'
import { snapshotFolder } from '../../../search/memory/index/snapshots/snapshot-files.ts'
import { readTenantSnapshots } from '../../../search/memory/index/snapshots/tenant-snapshots.ts'
import { LEFT_OUT_NAMED_MAX, type LeftOutDocument } from '../../../search/engine.ts'
import { type DatabaseCheck, ok, warn } from './check.ts'

const MEGABYTE = 2 ** 20

/**
 * Checks that search indexes are kept on disk, and tells by their files which tenants are near their bound, and which
 * documents are left out of search.
 */
export const checkIndexes: DatabaseCheck = async (
  _database,
  { dataDir, searchSnapshotMb, searchMemoryPerTenantMb: boundMb },
) => {
  if (searchSnapshotMb === 0)
    return ok(
      'not kept on disk, by SEARCH_SNAPSHOT_MB=0: a restart builds each one anew, and only the log tells which tenant ' +
        'is near its bound',
    )
  const folder = snapshotFolder(dataDir)
  const tenants = [...(await readTenantSnapshots(folder))].map(([id, each]) => ({
    ...each,
    id,
    mb: each.bytes / MEGABYTE,
  }))
  if (tenants.length === 0) return ok(`kept in ${folder}, with at most ${searchSnapshotMb} MB; there is none yet`)
  const full = tenants.filter(({ leftOut }) => leftOut > 0)
  const tight = tenants.filter(({ mb, leftOut }) => leftOut === 0 && mb >= TIGHT_SHARE * boundMb)
  if (full.length + tight.length > 0)
    return [
      ...full.map(({ id, leftOut, leftOutDocuments }) =>
        warn(
          `tenant ${id}: search leaves out ${leftOut} ${leftOut === 1 ? 'document' : 'documents'}, since its indexes ` +
            `would take more than the ${boundMb} MB that they may: shorten or delete what takes most, or raise ` +
            `SEARCH_MEMORY_PER_TENANT_MB. When its snapshot was written, these were ${namesOf(leftOutDocuments, leftOut)}`,
        ),
      ),
      ...tight
        .toSorted((a, b) => b.mb - a.mb)
        .map(({ id, mb }) =>
          warn(
            `tenant ${id}: its indexes take ${mb.toFixed(0)} of the ${boundMb} MB that they may. Beyond it the newest ` +
              'documents of the owners that take most are left out of search: raise SEARCH_MEMORY_PER_TENANT_MB, or ' +
              'let its administrators shorten or delete entries or products',
          ),
        ),
    ]
  const most = tenants.reduce((largest, each) => (each.mb > largest.mb ? each : largest))
  return ok(
    `kept in ${folder}, of ${tenants.length === 1 ? '1 tenant' : `${tenants.length} tenants`}; most take those of ` +
      `${most.id}, ${Math.ceil(most.mb)} of the ${boundMb} MB that a tenant's may`,
  )
}

/** Returns the names of documents that are left out, with their owners. */
function namesOf(documents: readonly LeftOutDocument[], count: number): string {
  const named = documents.slice(0, LEFT_OUT_NAMED_MAX)
  const names = named.map(({ index, id, owner }) => `${index} ${id}${owner === null ? '' : ` of user ${owner}`}`)
  const more = count - named.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

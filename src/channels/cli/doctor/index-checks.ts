import { TIGHT_SHARE } from '../../../search/memory/host/index-budget.ts'
import { snapshotFolder } from '../../../search/memory/index/snapshots/snapshot-files.ts'
import { snapshotSizes } from '../../../search/memory/index/snapshots/snapshot-sizes.ts'
import { type DatabaseCheck, ok, warn } from './check.ts'

const MEGABYTE = 2 ** 20

/** Checks that search indexes are kept on disk, and tells by their files which tenants are near their bound. */
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
  const sizes = [...(await snapshotSizes(folder))].map(([id, bytes]) => ({ id, mb: bytes / MEGABYTE }))
  if (sizes.length === 0) return ok(`kept in ${folder}, with at most ${searchSnapshotMb} MB; there is none yet`)
  const tight = sizes.filter(({ mb }) => mb >= TIGHT_SHARE * boundMb).sort((a, b) => b.mb - a.mb)
  if (tight.length > 0)
    return tight.map(({ id, mb }) =>
      warn(
        `tenant ${id}: its indexes take ${mb.toFixed(0)} of the ${boundMb} MB that they may. Beyond it its searches ` +
          'get 507: raise SEARCH_MEMORY_PER_TENANT_MB, or delete what nobody needs',
      ),
    )
  const most = sizes.reduce((largest, each) => (each.mb > largest.mb ? each : largest))
  return ok(
    `kept in ${folder}, of ${sizes.length === 1 ? '1 tenant' : `${sizes.length} tenants`}; most take those of ` +
      `${most.id}, ${Math.ceil(most.mb)} of the ${boundMb} MB that a tenant's may`,
  )
}

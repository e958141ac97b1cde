import { everyTenant } from '../../identity/tenants/list-rules.ts'
import type { Database } from '../../platform/database/database.ts'
import { SnapshotFiles, snapshotFolder } from '../../search/memory/index/snapshots/snapshot-files.ts'

/** Deletes a tenant's snapshots from a data directory. A service that runs on another one deletes its own. */
export async function removeSnapshotsOf(dataDir: string, tenantId: string): Promise<void> {
  await filesOf(dataDir).remove(tenantId)
}

/** Deletes the snapshots of tenants that were removed while no service ran on this data directory, or as it crashed. */
export async function removeSnapshotsOfGone({ queries }: Database, dataDir: string): Promise<void> {
  await filesOf(dataDir).keepOnly(async () => (await everyTenant(queries)).map((tenant) => tenant.tenant_id))
}

/** Opens the snapshots of a data directory to delete some. The bound of 0 bytes does not matter without a write. */
function filesOf(dataDir: string): SnapshotFiles {
  return new SnapshotFiles(snapshotFolder(dataDir), 0)
}

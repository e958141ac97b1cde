/** Reads from snapshots what search indexes take and leave out, for a process that has no index in memory. */
import type { LeftOutDocument } from '../../../engine.ts'
import { SnapshotReader } from '../../columns/checked-stream.ts'
import { readIdentity } from './index-snapshot.ts'
import { SnapshotFiles } from './snapshot-files.ts'

/** What the indexes of a tenant took, and left out, when their snapshots were written. */
export interface TenantSnapshots {
  readonly bytes: number
  readonly leftOut: number
  /** Some of the documents that were left out. */
  readonly leftOutDocuments: readonly LeftOutDocument[]
}

/**
 * Returns by tenant what the snapshots of its indexes say. Changes nothing, and leaves files out that cannot be read.
 * @param folder of the snapshots; it need not exist
 */
export async function readTenantSnapshots(folder: string): Promise<ReadonlyMap<string, TenantSnapshots>> {
  const tenants = new Map<string, TenantSnapshots>()
  for await (const snapshot of new SnapshotFiles(folder, 0).all()) {
    try {
      const identity = await readIdentity(new SnapshotReader(snapshot.read, snapshot.bytes))
      const { tenantId, index, bytes, leftOut = { count: 0, newest: [] } } = identity
      const before = tenants.get(tenantId) ?? { bytes: 0, leftOut: 0, leftOutDocuments: [] }
      tenants.set(tenantId, {
        bytes: before.bytes + bytes,
        leftOut: before.leftOut + leftOut.count,
        leftOutDocuments: [...before.leftOutDocuments, ...leftOut.newest.map((each) => ({ index, ...each }))],
      })
    } catch {
      // The snapshot is damaged or of another version, and the service deletes it.
    } finally {
      await snapshot.close()
    }
  }
  return tenants
}

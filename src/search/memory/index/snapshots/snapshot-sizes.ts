/** Reads the sizes of search indexes from their snapshots, for a process that has no index in memory. */
import { SnapshotReader } from '../../columns/checked-stream.ts'
import { readIdentity } from './index-snapshot.ts'
import { SnapshotFiles } from './snapshot-files.ts'

/**
 * Returns by tenant the bytes that its indexes took when their snapshots were written. Changes nothing, and leaves
 * files out that cannot be read.
 * @param folder of the snapshots; it need not exist
 */
export async function snapshotSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for await (const snapshot of new SnapshotFiles(folder, 0).all()) {
    try {
      const { tenantId, bytes } = await readIdentity(new SnapshotReader(snapshot.read, snapshot.bytes))
      sizes.set(tenantId, (sizes.get(tenantId) ?? 0) + bytes)
    } catch {
      // The snapshot is damaged or of another version, and the service deletes it.
    } finally {
      await snapshot.close()
    }
  }
  return sizes
}

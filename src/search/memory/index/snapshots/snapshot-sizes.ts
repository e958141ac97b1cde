/** What search indexes took when their snapshots were written, for a process that has none of them in memory. */
import { SnapshotReader } from '../../columns/checked-stream.ts'
import { readIdentity } from './index-snapshot.ts'
import { SnapshotFiles } from './snapshot-files.ts'

/**
 * The bytes of all indexes of each tenant, as far as they have snapshots. Changes nothing; files that cannot be read
 * are left out.
 * @param folder need not exist
 */
export async function snapshotSizes(folder: string): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for await (const opened of new SnapshotFiles(folder, 0).all()) {
    try {
      const { tenantId, bytes } = await readIdentity(new SnapshotReader(opened.read, opened.bytes))
      sizes.set(tenantId, (sizes.get(tenantId) ?? 0) + bytes)
    } catch {
      // It is damaged, or of another version: the service deletes it.
    } finally {
      await opened.close()
    }
  }
  return sizes
}

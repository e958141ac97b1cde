import type { Registry } from 'prom-client'
import { publishGauge } from '../../platform/telemetry/gauges.ts'
import type { SnapshotFiles } from '../memory/index/snapshots/snapshot-files.ts'

/**
 * Milliseconds for which a reading of the folder is used again: metrics may be read often, and a large folder takes a
 * while.
 */
const FRESH_MS = 5_000

/** Publishes the number and the bytes of the snapshots on disk. Reading the metrics reads the folder. */
export function watchSnapshots(registry: Registry, files: SnapshotFiles): void {
  let cached: { readonly at: number; readonly usage: ReturnType<SnapshotFiles['usage']> } | null = null
  const usage = (): ReturnType<SnapshotFiles['usage']> => {
    const at = performance.now()
    if (cached === null || at - cached.at > FRESH_MS) cached = { at, usage: files.usage() }
    return cached.usage
  }
  publishGauge(registry, { name: 'search_snapshot_files', help: 'Snapshots of search indexes on disk' }, async () => [
    { value: (await usage()).files },
  ])
  publishGauge(
    registry,
    { name: 'search_snapshot_bytes', help: 'Bytes of the snapshots of search indexes on disk' },
    async () => [{ value: (await usage()).bytes }],
  )
  publishGauge(
    registry,
    { name: 'search_snapshot_bytes_max', help: 'Bytes that snapshots of search indexes may take' },
    () => [{ value: files.bytesMax }],
  )
}

import type { Registry } from 'prom-client'
import { publishGauge } from '../../platform/telemetry/gauges.ts'
import type { SnapshotFiles } from '../memory/index/snapshots/snapshot-files.ts'

/** Anybody may read the metrics, and a folder of many snapshots takes a while. */
const FRESH_MS = 5_000

/** Publishes what the snapshots on disk take; the folder is read when the metrics are read. */
export function watchSnapshots(registry: Registry, files: SnapshotFiles): void {
  let known: { readonly at: number; readonly usage: ReturnType<SnapshotFiles['usage']> } | null = null
  const usage = (): ReturnType<SnapshotFiles['usage']> => {
    const at = performance.now()
    if (known === null || at - known.at > FRESH_MS) known = { at, usage: files.usage() }
    return known.usage
  }
  publishGauge(registry, { name: 'search_snapshot_files', help: 'Snapshots of search indexes on disk' }, async () => [
    { value: (await usage()).files },
  ])
  publishGauge(registry, { name: 'search_snapshot_bytes', help: 'Bytes that they take' }, async () => [
    { value: (await usage()).bytes },
  ])
  publishGauge(registry, { name: 'search_snapshot_bytes_max', help: 'Bytes that they may take' }, () => [
    { value: files.bytesMax },
  ])
}

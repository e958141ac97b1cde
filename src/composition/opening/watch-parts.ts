import type { Registry } from 'prom-client'
import type { QueueThread } from '../../embedding/queue-thread.ts'
import type { ProviderHealth } from '../../embedding/provider-health.ts'
import { watchBacklog, watchProvider } from '../../embedding/telemetry/embedding-metrics.ts'
import type { Database } from '../../platform/database/database.ts'
import { publishBuild } from '../../platform/telemetry/build-metrics.ts'
import { watchDatabase } from '../../platform/telemetry/database-metrics.ts'
import { type DamageWatch, publishDamage } from '../../platform/telemetry/damage-watch.ts'
import { watchThreads } from '../../platform/telemetry/thread-metrics.ts'
import type { ThreadHealth } from '../../platform/threads/supervisor.ts'
import { SnapshotFiles } from '../../search/memory/index/snapshots/snapshot-files.ts'
import { watchEngine } from '../../search/telemetry/engine-metrics.ts'
import { watchSnapshots } from '../../search/telemetry/snapshot-metrics.ts'
import { watchBackups } from '../backup/backup-metrics.ts'
import { backupFacts, type BackupPlan } from '../backup/concern.ts'
import type { SearchParts } from './search.ts'

interface PartsWithMetrics {
  readonly database: Database
  readonly search: Pick<SearchParts, 'memory' | 'measured' | 'snapshots'>
  readonly threads: readonly { readonly health: ThreadHealth }[]
  readonly queue: QueueThread
  readonly damage: DamageWatch
  readonly provider: ProviderHealth
  readonly backupPlan: BackupPlan
}

/** Publishes metrics of the parts. Each value is taken when the metrics are read. */
export function watchParts(
  registry: Registry,
  { database, search, threads, queue, damage, provider, backupPlan }: PartsWithMetrics,
): void {
  const { memory, measured, snapshots } = search
  watchBackups(registry, backupPlan, () => backupFacts(database))
  watchEngine(registry, memory, measured)
  watchThreads(registry, threads)
  watchDatabase(registry, database)
  publishDamage(registry, damage)
  watchBacklog(registry, () => queue.backlog)
  watchProvider(registry, provider)
  if (snapshots !== null) watchSnapshots(registry, new SnapshotFiles(snapshots.folder, snapshots.bytesMax))
  publishBuild(registry, { database: database.portable.name, model: provider.model })
}

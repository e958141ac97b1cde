import type { Config } from '../../config.ts'
import type { Database, DatabaseOptions } from '../../platform/database/database.ts'
import type { EngineForRequests } from '../../search/engine.ts'
import { ReplicaUse } from '../../search/engines/replica-use.ts'
import { RoutedEngine } from '../../search/engines/routed-engine.ts'
import { type EngineObserver, MemoryEngine } from '../../search/memory/host/engine.ts'
import { snapshotFolder } from '../../search/memory/index/snapshots/snapshot-files.ts'
import { membersOf } from '../../search/passing/members.ts'
import { PgvectorEngine } from '../../search/pgvector/engine.ts'
import { readyReplicas } from '../../search/pgvector/replicas.ts'
import { observeEngine } from '../../search/telemetry/engine-observer.ts'
import type { TenantShare } from '../../search/tenant-share.ts'
import { joinOthers, shareAtStart } from './join-others.ts'
import { type Opening, threadLogOf } from './opening.ts'

const MEGABYTE = 1024 * 1024
const SOURCE_MODULE = new URL('../search-sources.ts', import.meta.url).href

/** Search snapshots on disk: their folder, and the bytes that they may take. */
interface SnapshotPlace {
  readonly folder: string
  readonly bytesMax: number
}

export interface SearchParts {
  /** Searches each tenant with the engine of its settings, in the process that holds the tenant. */
  readonly engine: EngineForRequests
  readonly memory: MemoryEngine
  /** The engines whose lag this process publishes in its metrics. */
  readonly measured: Pick<EngineForRequests, 'status'>
  /** Lets the indexes of a tenant follow a write of this process. */
  readonly noteWritten: (tenantId: string) => void
  /** The engine in PostgreSQL; null on SQLite. */
  readonly replicas: PgvectorEngine | null
  readonly replicaUse: ReplicaUse
  /** Null when the settings keep no snapshots. */
  readonly snapshots: SnapshotPlace | null
  /** Resolves when the indexes used last are in memory and the model is loaded, or have had their time. */
  readonly warmed: Promise<void>
}

/**
 * Opens the engines, and joins the processes that share tenants.
 * @param loadModel resolves when the embedding model is loaded, or has had its time
 * @param noteLoads receives what the search thread does for tenants
 */
export async function openSearch(
  opening: Opening,
  database: Database,
  place: DatabaseOptions,
  loadModel: () => Promise<unknown>,
  noteLoads: EngineObserver['loaded'],
): Promise<SearchParts> {
  const { config, logger, metrics, damage, port, opened } = opening
  const snapshots = snapshotsOf(config)
  const members = config.searchPassing === null ? null : membersOf(config.searchPassing, port?.number ?? 1)
  const observer = { ...observeEngine(metrics.registry, logger, damage), loaded: noteLoads }
  const memory = opened.add(openMemory(opening, place, snapshots, shareAtStart(port, members, config), observer))
  const replicas =
    config.databaseUrl === null
      ? null
      : opened.add(
          new PgvectorEngine(
            {
              sourceModule: SOURCE_MODULE,
              database: place,
              buildWaitMs: 0,
              catchUpWaitMs: config.searchWaitSeconds * 1_000,
              freshWaitMs: config.searchFreshWaitMs,
            },
            threadLogOf(opening),
            observer,
          ),
        )
  const warmed = Promise.allSettled([memory.warmed(), loadModel()]).then(() => undefined)
  const shared = await joinOthers(opening, members, memory, warmed)
  if (shared !== null) opened.add(shared)
  const replicaUse = new ReplicaUse()
  // Replicas are known before the keeper's first look: a tenant that left pgvector and does not fit needs its replica.
  replicaUse.know(await readyReplicas(database))
  const noteWritten = (tenantId: string): void => {
    memory.noteWritten(tenantId)
    // The thread of replicas starts with the first call, so it is not told of tenants without any.
    if (replicaUse.hasAny(tenantId)) replicas?.noteWritten(tenantId)
  }
  database.onWrite(noteWritten)
  const waitMs = config.searchWaitSeconds * 1_000
  const engine = new RoutedEngine(shared?.engine ?? memory, replicas, replicaUse, waitMs)
  // All processes have the same replicas. Of those behind one port the first alone counts them, and each its builds.
  const published = replicas === null || (port?.number ?? 1) === 1 ? replicas : withoutLag(replicas)
  const measured = new RoutedEngine(memory, published, replicaUse)
  return { engine, memory, measured, noteWritten, replicas, replicaUse, snapshots, warmed }
}

/** Returns the engine with a status that does not say how far replicas are behind, but what this process builds. */
function withoutLag(replicas: PgvectorEngine): EngineForRequests {
  return {
    search: (request) => replicas.search(request),
    requireRoom: () => replicas.requireRoom(),
    status: async (tenantId) => ({
      ...(await replicas.status(tenantId)),
      documentsBehind: 0,
      behind: 0,
      behindMs: 0,
    }),
  }
}

function snapshotsOf({ dataDir, searchSnapshotMb }: Config): SnapshotPlace | null {
  return searchSnapshotMb === 0 ? null : { folder: snapshotFolder(dataDir), bytesMax: searchSnapshotMb * MEGABYTE }
}

function openMemory(
  { config }: Opening,
  place: DatabaseOptions,
  snapshots: SnapshotPlace | null,
  share: TenantShare | null,
  observer: EngineObserver,
): MemoryEngine {
  return new MemoryEngine(
    {
      sourceModule: SOURCE_MODULE,
      sourceOptions: { ...place, replicaUrl: config.databaseReplicaUrl },
      bytesMax: config.searchMemoryMb * MEGABYTE,
      tenantBytesMax: config.searchMemoryPerTenantMb * MEGABYTE,
      buildWaitMs: config.searchWaitSeconds * 1_000,
      freshWaitMs: config.searchFreshWaitMs,
      snapshots,
      rebuildWithinMs: config.searchRebuildWaitSeconds * 1_000,
      ...(share === null ? {} : { share }),
    },
    observer,
  )
}

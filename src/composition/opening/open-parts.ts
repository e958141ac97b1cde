import { setTimeout as sleep } from 'node:timers/promises'
import { Readers } from '../../embedding/contextual/readers.ts'
import type { EmbedderPool } from '../../embedding/embedder-pool.ts'
import { QueueThread } from '../../embedding/queue-thread.ts'
import { measuredIn } from '../../embedding/scale/measured-in.ts'
import { countEmbeddingCalls } from '../../embedding/telemetry/embedding-metrics.ts'
import { storedLength } from '../../embedding/vector-length.ts'
import { keyUseRecorder } from '../../identity/api-keys/key-use.ts'
import { Outbox } from '../../identity/mail/outbox.ts'
import { mailTransport } from '../../identity/mail/transport.ts'
import { LogThread } from '../../insights/log-thread/log-thread.ts'
import { countEvents } from '../../insights/search-log/event-metrics.ts'
import { SearchLog } from '../../insights/search-log/search-log.ts'
import { WriteBehind } from '../../insights/search-log/write-behind.ts'
import { type Database, type DatabaseOptions, openDatabase } from '../../platform/database/database.ts'
import { SecretBox } from '../../platform/secrets.ts'
import type { ThreadHealth } from '../../platform/threads/supervisor.ts'
import { type TenantLoad, TenantWork, watchTenants } from '../../platform/usage/tenant-work.ts'
import { UsageTally } from '../../platform/usage/usage-tally.ts'
import { targetsOf } from '../embedding-targets.ts'
import { openEmbedders } from '../open-embedders.ts'
import { startSweeper } from '../sweeper.ts'
import { startErasedReplicas } from '../tenants/erased-replicas.ts'
import { startTenantKeeper } from '../tenants/keeper.ts'
import { type Opening, threadLogOf } from './opening.ts'
import { prepareDatabase } from './prepare-database.ts'
import { readiness, watchEntry } from './readiness.ts'
import type { IndexLoad } from '../../search/memory/host/protocol.ts'
import { openSearch } from './search.ts'
import { openTelemetry } from './telemetry.ts'
import { watchParts } from './watch-parts.ts'

/** Time that a start waits at most for a model that runs in this process. */
const LOAD_WITHIN_MS = 2_000
/** Time that a look at what is missing waits at most for the indexes of a start. */
const MOMENT_MS = 1_000
/** Time that a stop waits at most until the search log is written. */
const LOG_FLUSH_TIMEOUT_MS = 2_000

/**
 * Opens all parts of the service, and brings the database up to date. The stages are closed in the opposite order. The
 * last stage takes further parts of the caller that need all others.
 * @param now the clock of the search log; by default the process's
 */
export async function openParts(opening: Opening, now?: () => number) {
  const { config, logger, metrics, damage, opened, warn } = opening
  const { registry } = metrics
  const place: DatabaseOptions = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
  const countCall = countEmbeddingCalls(registry)
  const telemetry = openTelemetry(opening)

  opened.beginStage()
  const database = opened.add(
    openDatabase({
      ...place,
      poolMax: config.databasePoolMax,
      onError: warn,
      onDamage: (error) => damage.note(error),
    }),
  )

  opened.beginStage()
  const usage = opened.add(new UsageTally(database, warn))
  const work = new TenantWork()
  if (config.metricsTenants === 'on') watchTenants(registry, work)
  const noteWork = (tenantId: string, load: TenantLoad): void => {
    usage.worked(tenantId, load)
    work.note(tenantId, load)
  }

  opened.beginStage()
  const reader = new Readers({ threads: config.embedding.threads, log: threadLogOf(opening) })
  const countTokens = (tenantId: string, tokens: number): void => usage.embedded(tenantId, tokens)
  const embedders = opened.add(
    openEmbedders(config, countTokens, countCall, lengthsIn(database), reader, measuredIn(database)),
  )
  const unread = embedders.unreadReason()
  if (unread !== null)
    logger.warn(
      { reason: unread },
      'the contextual model cannot read texts here, so searches by meaning go by the static model alone; ' +
        '`knowledge doctor` says what to do',
    )
  await prepareDatabase(database, config, logger)

  opened.beginStage()
  const noteLoads = (loads: readonly IndexLoad[]): void => {
    for (const { tenantId, workMs, bytes } of loads) {
      if (workMs > 0) noteWork(tenantId, { requests: 0, workMs, transferred: 0 })
      if (bytes > 0) usage.indexed(tenantId, bytes)
      work.noteIndex(tenantId, bytes)
    }
  }
  const search = await openSearch(opening, database, place, () => loadWithin(embedders), noteLoads)
  const { memory, noteWritten, replicas, replicaUse, warmed } = search
  const queue = opened.add(
    new QueueThread(
      {
        database: place,
        embedding: config.embedding,
        targetsModule: new URL('../embedding-targets.ts', import.meta.url).href,
        startedAt: embedders.startedAt,
        openTelemetry: telemetry === null ? null : config.openTelemetry,
      },
      threadLogOf(opening),
      (call) => {
        embedders.health.note(call)
        embedders.speed.note(call)
        countCall(call)
      },
      noteWritten,
      reader,
    ),
  )
  const keyUse = opened.add(keyUseRecorder(database, warn))
  const { secretKey, formerSecretKeys } = config
  const logThread = opened.add(new LogThread({ ...place, secretKey, formerSecretKeys }, threadLogOf(opening)))

  opened.beginStage()
  const events = countEvents(registry)
  const logWriter = new WriteBehind((batch) => logThread.write(batch), events)
  opened.add({ close: () => logWriter.close(LOG_FLUSH_TIMEOUT_MS) })

  opened.beginStage()
  const secrets = SecretBox.of(config)
  const outbox =
    config.mail === null
      ? undefined
      : opened.add(new Outbox({ database, secrets, send: mailTransport(config.mail), onError: warn }))

  opened.beginStage()
  opened.add(startSweeper(database, warn, undefined, outbox))
  opened.add(startTenantKeeper(database, memory, warn, replicaUse, (tenantId) => replicas?.noteWritten(tenantId)))
  if (replicas !== null) opened.add(startErasedReplicas(database, replicas, warn))
  const threads = [memory, ...(replicas === null ? [] : [replicas]), queue, reader, logThread]
  const provider = embedders.health
  watchParts(registry, { database, search, threads, queue, damage, provider, backupPlan: config.backup })
  const entry =
    config.databaseUrl === null ? null : opened.add(watchEntry(place, config.databaseRefusalSeconds, logger))

  return {
    database,
    engine: search.engine,
    embedders,
    keyUse,
    secrets,
    outbox,
    searchLog: new SearchLog(logWriter, events, now, (tenantId) => usage.search(tenantId)),
    logThread,
    noteWork,
    onQueued: () => queue.wake(),
    missing: async () => {
      if (!(await resolvesWithin(warmed, MOMENT_MS))) return ['search indexes']
      return entry?.isRefused ? ['database'] : readiness(database, memory)
    },
    damage,
    threads: (): readonly ThreadHealth[] => threads.map((thread) => thread.health),
    queues: {
      searches: () => memory.waiting + (replicas?.waiting ?? 0),
      search_log: () => logWriter.waiting,
      ...(outbox === undefined ? {} : { mail: () => outbox.waiting() }),
    },
    metrics,
    tracing: telemetry?.tracing,
    /** Resolves when the service can answer without delay. */
    warmed,
    /** Resolves when PostgreSQL has refused new connections for longer than the service waits; null on SQLite. */
    refused: entry?.lasting ?? null,
  }
}

/** Returns how long the stored vectors of a tenant's model are. */
function lengthsIn({ queries }: Database): (tenantId: string, model: string) => Promise<number | null> {
  const targets = targetsOf()
  return (tenantId, model) => storedLength(queries, targets, tenantId, model)
}

function loadWithin(embedders: EmbedderPool): Promise<unknown> {
  return Promise.race([embedders.prepare(), sleep(LOAD_WITHIN_MS, undefined, { ref: false })])
}

/** Tells whether a promise resolves in time. */
function resolvesWithin(promise: Promise<void>, ms: number): Promise<boolean> {
  return Promise.race([promise.then(() => true), sleep(ms, false, { ref: false })])
}

import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { createApp, type Parts } from './app.ts'
import { installationStatus } from './channels/operators/status.ts'
import { startWarningLog } from './channels/operators/warning-log.ts'
import { startBackups } from './composition/backup/schedule.ts'
import { type Bootstrap, bootstrap } from './composition/bootstrap.ts'
import { openParts } from './composition/opening/open-parts.ts'
import { openMetrics } from './composition/opening/telemetry.ts'
import type { Config } from './config.ts'
import { hasTenants } from './identity/tenants/list-rules.ts'
import type { DatabaseRefused } from './platform/database/refusals.ts'
import type { PublishedMetrics } from './platform/http/metrics-page.ts'
import { ProbePort } from './platform/http/probe-port.ts'
import { missingNow } from './platform/http/readiness.ts'
import type { HttpApp } from './platform/http/route.ts'
import { handOver, leave, stopGracefully } from './platform/http/transport/traffic.ts'
import { OpenedParts } from './platform/opened-parts.ts'
import type { ProcessPort } from './platform/processes/process-port.ts'
import { atMostEvery } from './platform/telemetry/at-most-every.ts'
import { DamageWatch } from './platform/telemetry/damage-watch.ts'

/** Time for running requests at a stop. Of its ten seconds, one remains for closing the parts. */
const REQUESTS_END_WITHIN_MS = 9_000
/** Milliseconds for which a text of `/metrics` is answered again: writing it takes the time of many requests. */
const METRICS_EVERY_MS = 1_000

export interface Service {
  readonly app: HttpApp
  /** Address that the service listens on. */
  readonly url: string
  /** Address at which clients reach the service. */
  readonly publicUrl: string
  /** The secrets that the first start created; null on every later start. */
  readonly created: Bootstrap | null
  /** Resolves when PostgreSQL has refused new connections for longer than the service waits; never on SQLite. */
  readonly refused: Promise<DatabaseRefused>
  /**
   * Goes on serving while `/readyz` says that the service leaves, and resolves after the delay. Call it before `stop`.
   */
  leave(delayMs: number): Promise<void>
  /** Leaves the port to the processes that share it, and resolves after the delay. Call it before `stop`. */
  handOver(delayMs: number): Promise<void>
  /** Finishes running requests and closes everything, within ten seconds. */
  stop(): Promise<void>
}

interface StartOptions extends Pick<Parts, 'fetchDocument' | 'passwordCost'> {
  /** The clock of the search log; by default the process's. */
  readonly now?: () => number
  /** The line to the supervisor of several processes; by default there is none. */
  readonly port?: ProcessPort | null
  /** Loads code that requests will need, while the start waits for the indexes. */
  readonly loadAhead?: () => Promise<void>
  /** Milliseconds for which a text of `/metrics` is answered again; by default a second. */
  readonly metricsEveryMs?: number
}

/**
 * Opens the database, brings it up to date and starts to serve. The port opens once the indexes that were used last
 * and the model are in memory, or have had their time; only a first start has nothing to wait for.
 * @throws ConfigError, DataDirectoryError or MigrationError with a message for the operator
 */
export async function startService(
  config: Config,
  logger: FastifyBaseLogger = pino({ level: 'silent' }),
  options: StartOptions = {},
): Promise<Service> {
  const opened = new OpenedParts()
  try {
    return await start(config, logger, options, opened)
  } catch (error) {
    // Threads and timers of open parts would keep the process alive.
    await opened.close().catch((failure: unknown) => logger.warn({ err: failure }, 'not everything could be closed'))
    throw error
  }
}

/** Starts the service. @param opened collects each open part, so that a failure half-way leaves none open */
async function start(
  config: Config,
  logger: FastifyBaseLogger,
  { fetchDocument, passwordCost, now, port = null, loadAhead, metricsEveryMs = METRICS_EVERY_MS }: StartOptions,
  opened: OpenedParts,
): Promise<Service> {
  const warn = (error: unknown): void => logger.warn({ err: error }, 'a background task failed')
  const metrics = openMetrics(port)
  const damage = new DamageWatch(logger)
  const scrape = atMostEvery(metricsEveryMs, () => (port === null ? metrics.text() : port.scrape()))
  const probes = openProbes(config, { contentType: metrics.registry.contentType, metrics: scrape }, opened)
  // Of several processes only the first one answers probes before it serves: the port belongs to those that do.
  if (port === null || port.isFirst) await probes?.open()
  const { warmed, refused, ...parts } = await openParts({ config, logger, metrics, damage, port, opened, warn }, now)
  const { database, engine, embedders, threads } = parts
  const { everyHours } = config.backup
  const sources = { database, engine, provider: embedders.health, threads, damage, backupPlan: config.backup }
  const warningsNow = async (): Promise<readonly string[]> => (await installationStatus(sources)).warnings
  opened.add(startWarningLog(warningsNow, (text) => logger.warn(text), warn))

  let publicUrl = config.publicUrl
  const forApp = { ...parts, scrape, publicUrl: () => publicUrl, fetchDocument, passwordCost }
  const app = createApp(config, forApp, logger)
  opened.add({ close: () => stopGracefully(app, REQUESTS_END_WITHIN_MS) })
  probes?.watch(async () => {
    const lacks = await missingNow(app.traffic, parts.missing)
    return lacks.length > 0 || app.server.listening ? lacks : ['port']
  })
  if (await hasTenants(database.queries)) await Promise.all([warmed, loadAhead?.()])
  const url = await app.listen({ port: config.port, host: config.host })
  // With PORT=0 the system has chosen the port only now.
  if (new URL(publicUrl).port === '0') publicUrl = `http://localhost:${new URL(url).port}`
  // This comes after listening: a start that fails on a taken port must not create a key that no person sees.
  const created = await bootstrap(database, config.bootstrap, passwordCost)
  await probes?.open()
  if (everyHours !== null) opened.add(startBackups(database, config, everyHours, logger))
  return {
    app,
    url,
    publicUrl,
    created,
    refused: refused ?? new Promise(() => undefined),
    leave: (delayMs) => leave(app, delayMs),
    async handOver(delayMs) {
      await probes?.close()
      await handOver(app, delayMs)
    },
    stop: () => opened.close(),
  }
}

/** Makes the port for probes. @returns null where they are answered on the port of the service */
function openProbes(
  { probePort, host, metricsToken }: Config,
  metrics: PublishedMetrics,
  opened: OpenedParts,
): ProbePort | null {
  if (probePort === null) return null
  return opened.add(new ProbePort({ port: probePort, host }, { ...metrics, token: metricsToken }))
}

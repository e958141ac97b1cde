import type { Registry } from 'prom-client'
import { VERSION } from '../../version.ts'
import type { Tracing } from '../tracing.ts'
import { metricBridge } from './metric-bridge.ts'
import { loadPackages, type Packages } from './packages.ts'
import { OpenTelemetryTracing } from './spans.ts'

export interface Telemetry {
  readonly tracing: Tracing
  /** Sends the remaining spans and metrics, for at most two seconds. Never rejects. */
  close(): Promise<void>
}

interface TelemetryOptions {
  /** Metrics to send; null in threads besides the first, which send none. */
  readonly registry: Registry | null
  readonly warn: (message: string) => void
  /** Environment variables. The SDK reads those of OpenTelemetry itself, except those of metrics. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Folder of the packages; by default the service's own. */
  readonly folder?: string
}

const CLOSE_WITHIN_MS = 2_000
const INTERVAL_MS = 60_000
const TIMEOUT_MS = 30_000
const MESSAGE_MAX = 500
/**
 * Time before a message is logged again. While a receiver is away, the SDK says so with each batch, every five seconds.
 */
const REPEAT_AFTER_MS = 60_000

const NOT_INSTALLED =
  'OTEL_ variables are set, but OpenTelemetry is not installed, so nothing is sent: npm ci --prefix opentelemetry --ignore-scripts'

/**
 * Starts OpenTelemetry's SDK for this thread, configured by the standard OTEL_ variables.
 * @returns null, after a warning, where its packages are not installed
 */
export function startTelemetry({ registry, warn, env, folder }: TelemetryOptions): Telemetry | null {
  const packages = loadPackages(folder)
  if (packages === null) {
    warn(NOT_INSTALLED)
    return null
  }
  const { api, NodeSDK, defaultResource, resourceFromAttributes } = packages
  const tell = seldom((message) => warn(`OpenTelemetry: ${textOf(message).slice(0, MESSAGE_MAX)}`))
  const silent = () => undefined
  const logger = { error: tell, warn: tell, info: silent, debug: silent, verbose: silent }
  // The SDK applies the variables after these attributes, so that OTEL_SERVICE_NAME counts.
  const own = { 'service.name': 'knowledge-service', 'service.version': VERSION }
  const resource = defaultResource().merge(resourceFromAttributes(own))
  const metricReaders = registry === null ? [] : readersOf(packages, registry, env)
  const sdk = new NodeSDK({ resource, metricReaders, logRecordProcessors: [], instrumentations: [] })
  // With OTEL_LOG_LEVEL the SDK would write to the console, and break the log's JSON lines.
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true })
  sdk.start()
  return {
    tracing: new OpenTelemetryTracing(api),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS).unref())
      await Promise.race([sdk.shutdown(), late]).catch((error: unknown) => tell((error as Error).message))
    },
  }
}

/**
 * Returns the readers that the variables ask for. The SDK's own reader for them takes no metrics of another library.
 */
function readersOf(packages: Packages, registry: Registry, env: TelemetryOptions['env']): readonly object[] {
  if ((env.OTEL_METRICS_EXPORTER || 'otlp') !== 'otlp') return []
  const exportIntervalMillis = Number(env.OTEL_METRIC_EXPORT_INTERVAL) || INTERVAL_MS
  const timeoutMs = Number(env.OTEL_METRIC_EXPORT_TIMEOUT) || TIMEOUT_MS
  const protocol = env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  const exporter = packages.metricExporter(protocol === 'grpc' || protocol === 'http/json' ? protocol : 'http/protobuf')
  return [
    new packages.PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis: Math.min(timeoutMs, exportIntervalMillis),
      metricProducers: [metricBridge(packages, registry)],
    }),
  ]
}

/** Returns a function that passes a message on, but the same message again only after a minute. */
function seldom(tell: (message: string) => void): (message: string) => void {
  let last = { message: '', atMs: Number.NEGATIVE_INFINITY }
  return (message) => {
    const atMs = performance.now()
    if (message === last.message && atMs - last.atMs < REPEAT_AFTER_MS) return
    last = { message, atMs }
    tell(message)
  }
}

/** Returns the text of a message of the SDK, which writes errors as JSON with their stack. */
function textOf(message: string): string {
  try {
    const { message: text } = JSON.parse(message) as { message?: unknown }
    return typeof text === 'string' ? text : message
  } catch {
    return message
  }
}

import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Folder into which `npm ci --prefix opentelemetry` installs the packages. They are no dependencies of the service. */
const FOLDER = join(import.meta.dirname, '../../../../opentelemetry')

/**
 * A span of OpenTelemetry. This module declares the parts of the packages that it uses, since their own types may be
 * missing.
 */
export interface ApiSpan {
  spanContext(): { readonly traceId: string }
  isRecording(): boolean
  setAttributes(attributes: object): void
  setStatus(status: { readonly code: number }): void
  end(endTime?: number): void
}

/** Immutable values that go along with a piece of work. Only the packages make and read them. */
export type ApiContext = object

interface SpanOptions {
  readonly kind: number
  readonly attributes: object
  /** Milliseconds on the clock of `performance`, or since 1970. */
  readonly startTime?: number
}

export interface Api {
  readonly ROOT_CONTEXT: ApiContext
  readonly SpanKind: { readonly INTERNAL: number; readonly SERVER: number; readonly CLIENT: number }
  readonly SpanStatusCode: { readonly ERROR: number }
  readonly ValueType: { readonly DOUBLE: number }
  readonly DiagLogLevel: { readonly WARN: number }
  readonly diag: { setLogger(logger: object, options: object): boolean }
  readonly trace: {
    getTracer(
      name: string,
      version: string,
    ): {
      startSpan(name: string, options: SpanOptions, context: ApiContext): ApiSpan
    }
    setSpan(context: ApiContext, span: ApiSpan): ApiContext
  }
  readonly propagation: {
    extract(context: ApiContext, carrier: object): ApiContext
    inject(context: ApiContext, carrier: object): void
    deleteBaggage(context: ApiContext): ApiContext
  }
}

interface Sdk {
  start(): void
  shutdown(): Promise<void>
}

type New<T> = new (options: object) => T

export interface Packages {
  readonly api: Api
  readonly NodeSDK: New<Sdk>
  readonly PeriodicExportingMetricReader: New<object>
  readonly AggregationTemporality: { readonly CUMULATIVE: number }
  readonly DataPointType: { readonly HISTOGRAM: number; readonly GAUGE: number; readonly SUM: number }
  readonly resourceFromAttributes: (attributes: object) => object
  readonly defaultResource: () => { merge(other: object): object }
  /** The exporter of metrics for a protocol of OTEL_EXPORTER_OTLP_PROTOCOL. */
  metricExporter(protocol: 'grpc' | 'http/json' | 'http/protobuf'): object
}

type OfMetrics = Pick<Packages, 'PeriodicExportingMetricReader' | 'AggregationTemporality' | 'DataPointType'>

const EXPORTERS = {
  grpc: '@opentelemetry/exporter-metrics-otlp-grpc',
  'http/json': '@opentelemetry/exporter-metrics-otlp-http',
  'http/protobuf': '@opentelemetry/exporter-metrics-otlp-proto',
} as const

/** Loads the packages: 45 MB, a third of a second. @returns null where they are not installed */
export function loadPackages(folder: string = FOLDER): Packages | null {
  const load = createRequire(join(folder, 'package.json'))
  try {
    load.resolve('@opentelemetry/sdk-node')
  } catch {
    return null
  }
  return {
    api: load('@opentelemetry/api') as Api,
    ...(load('@opentelemetry/sdk-node') as Pick<Packages, 'NodeSDK'>),
    ...(load('@opentelemetry/sdk-metrics') as OfMetrics),
    ...(load('@opentelemetry/resources') as Pick<Packages, 'resourceFromAttributes' | 'defaultResource'>),
    metricExporter(protocol) {
      const { OTLPMetricExporter } = load(EXPORTERS[protocol]) as { OTLPMetricExporter: New<object> }
      return new OTLPMetricExporter({})
    },
  }
}

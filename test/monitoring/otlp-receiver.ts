import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly doubleValue?: number }
}

/** The used parts of a span in the JSON of the protocol. */
interface SentSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status?: { readonly code?: number }
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes?: readonly Attribute[]
}

interface SentPoint {
  readonly attributes?: readonly Attribute[]
  readonly count?: number | string
  readonly asDouble?: number
  readonly asInt?: number | string
  readonly bucketCounts?: readonly (number | string)[]
}

type Kind = 'sum' | 'gauge' | 'histogram'

type SentMetric = { readonly name: string } & {
  readonly [kind in Kind]?: { readonly dataPoints: readonly SentPoint[] }
}

interface SentBody {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly SentMetric[] }[]
  }[]
}

/** A span as it was sent; attributes by name. */
export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** Kind by the numbers of the protocol: 1 internal, 2 server, 3 client. */
  readonly kind: number
  readonly isFailed: boolean
  readonly startNano: bigint
  readonly endNano: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly service: unknown
}

/** A value of a metric as it was sent last. */
interface ReceivedPoint {
  readonly kind: Kind
  readonly attributes: Readonly<Record<string, unknown>>
  readonly value: number
  /** Observations of a histogram between the bounds. */
  readonly counts: readonly number[]
}

/** Takes what OpenTelemetry's SDK sends by OTLP/HTTP, and decodes it where it is JSON. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = []
  readonly points = new Map<string, ReceivedPoint[]>()
  /** Every body, as it came. */
  readonly bodies: { readonly path: string; readonly type: string; readonly bytes: Buffer }[] = []
  readonly #server: Server

  private constructor() {
    this.#server = createServer((request, response) => void this.#take(request, response))
  }

  static async start(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver()
    await new Promise<void>((resolve) => receiver.#server.listen(0, '127.0.0.1', resolve))
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    const { url: path = '', headers } = request
    this.bodies.push({ path, type: String(headers['content-type']), bytes })
    if (headers['content-type'] === 'application/json') this.#read(JSON.parse(bytes.toString('utf8')) as SentBody)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  }

  #read({ resourceSpans = [], resourceMetrics = [] }: SentBody): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = attributesOf(resource.attributes)['service.name']
      for (const { spans } of scopeSpans) for (const span of spans) this.spans.push(spanOf(span, service))
    }
    for (const { scopeMetrics } of resourceMetrics) {
      for (const { metrics } of scopeMetrics) for (const metric of metrics) this.#keep(metric)
    }
  }

  #keep(metric: SentMetric): void {
    const kind = (['sum', 'gauge', 'histogram'] as const).find((each) => each in metric)!
    const points = metric[kind]!.dataPoints.map((point) => ({
      kind,
      attributes: attributesOf(point.attributes),
      value: Number(kind === 'histogram' ? point.count : (point.asDouble ?? point.asInt)),
      counts: (point.bucketCounts ?? []).map(Number),
    }))
    this.points.set(metric.name, points)
  }
}

function spanOf({ startTimeUnixNano, endTimeUnixNano, status, ...span }: SentSpan, service: unknown): ReceivedSpan {
  const { name, traceId, spanId, parentSpanId, kind } = span
  return {
    name,
    traceId,
    spanId,
    parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
    kind,
    isFailed: status?.code === 2,
    startNano: BigInt(startTimeUnixNano),
    endNano: BigInt(endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    service,
  }
}

function attributesOf(attributes: readonly Attribute[] = []): Record<string, unknown> {
  return Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? doubleValue : Number(intValue)),
    ]),
  )
}

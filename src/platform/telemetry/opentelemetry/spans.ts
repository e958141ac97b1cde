import { VERSION } from '../../version.ts'
import type { Attributes, Span, SpanKind, Tracing } from '../tracing.ts'
import type { Api, ApiContext, ApiSpan } from './packages.ts'

type Tracer = ReturnType<Api['trace']['getTracer']>

/** Sends traces to OpenTelemetry's SDK. */
export class OpenTelemetryTracing implements Tracing {
  readonly #api: Api
  readonly #tracer: Tracer

  constructor(api: Api) {
    this.#api = api
    this.#tracer = api.trace.getTracer('knowledge-service', VERSION)
  }

  begin(...[name, kind, attributes, headers]: Parameters<Tracing['begin']>): Span {
    const { ROOT_CONTEXT, propagation } = this.#api
    // A caller may put anything into the baggage, which would go on to the providers that the service calls.
    const context =
      headers === undefined ? ROOT_CONTEXT : propagation.deleteBaggage(propagation.extract(ROOT_CONTEXT, headers))
    return new OpenTelemetrySpan(this.#api, this.#tracer, context, name, kind, attributes)
  }
}

class OpenTelemetrySpan implements Span {
  readonly #api: Api
  readonly #tracer: Tracer
  readonly #span: ApiSpan
  readonly #context: ApiContext

  constructor(api: Api, tracer: Tracer, parent: ApiContext, name: string, kind: SpanKind, attributes: Attributes = {}) {
    this.#api = api
    this.#tracer = tracer
    this.#span = tracer.startSpan(name, { kind: kindOf(api, kind), attributes }, parent)
    this.#context = api.trace.setSpan(parent, this.#span)
  }

  get traceId(): string {
    return this.#span.spanContext().traceId
  }

  get headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {}
    this.#api.propagation.inject(this.#context, headers)
    return headers
  }

  begin(name: string, kind: SpanKind, attributes?: Attributes): Span {
    return new OpenTelemetrySpan(this.#api, this.#tracer, this.#context, name, kind, attributes)
  }

  add(
    name: string,
    kind: SpanKind,
    { startedMs, endedMs }: { startedMs: number; endedMs: number },
    more?: object,
  ): void {
    if (!this.#span.isRecording()) return
    const options = { kind: kindOf(this.#api, kind), attributes: more ?? {}, startTime: sinceEpoch(startedMs) }
    this.#tracer.startSpan(name, options, this.#context).end(sinceEpoch(endedMs))
  }

  end(isFailed: boolean, attributes: Attributes = {}): void {
    this.#span.setAttributes(attributes)
    if (isFailed) this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
    this.#span.end()
  }
}

function kindOf({ SpanKind }: Api, kind: SpanKind): number {
  return { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }[kind]
}

function sinceEpoch(ms: number): number {
  return performance.timeOrigin + ms
}

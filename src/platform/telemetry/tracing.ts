export type Attributes = Readonly<Record<string, string | number | boolean>>

/** Who a piece of work is done for: somebody outside (server), ourselves (internal), or by somebody outside (client). */
export type SpanKind = 'server' | 'internal' | 'client'

/** A piece of work in a trace. Times are on the clock of `performance`. */
export interface Span {
  readonly traceId: string
  /** What to send along to a service that is called, so that its own spans follow this one. */
  readonly headers: Readonly<Record<string, string>>
  /** Begins a part of this piece of work. */
  begin(name: string, kind: SpanKind, attributes?: Attributes): Span
  /** Adds a part that is over. */
  add(name: string, kind: SpanKind, time: { startedMs: number; endedMs: number }, attributes?: Attributes): void
  /** @param attributes what is known only now */
  end(isFailed: boolean, attributes?: Attributes): void
}

/** Headers of a request, by their names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Where traces are told. */
export interface Tracing {
  /**
   * Begins a piece of work.
   * @param headers of the request, which may name the trace that it belongs to (W3C Trace Context)
   */
  begin(name: string, kind: SpanKind, attributes: Attributes, headers?: Headers): Span
}

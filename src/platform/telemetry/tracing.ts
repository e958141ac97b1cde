export type Attributes = Readonly<Record<string, string | number | boolean>>

/**
 * Kind of a piece of work: an answer to a client (server), work within the service (internal), or a call of another
 * service (client).
 */
export type SpanKind = 'server' | 'internal' | 'client'

/** A piece of work in a trace. Times are on the clock of `performance`. */
export interface Span {
  readonly traceId: string
  /** Headers for a service that is called, so that its own spans follow this one. */
  readonly headers: Readonly<Record<string, string>>
  /** Begins a part of this piece of work. */
  begin(name: string, kind: SpanKind, attributes?: Attributes): Span
  /** Adds a part that has ended. */
  add(name: string, kind: SpanKind, time: { startedMs: number; endedMs: number }, attributes?: Attributes): void
  /** Ends this piece of work. @param attributes facts that are known only at its end */
  end(isFailed: boolean, attributes?: Attributes): void
}

/** Headers of a request, by their names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Destination of traces. */
export interface Tracing {
  /**
   * Begins a piece of work.
   * @param headers of the request, which may name the trace that it belongs to (W3C Trace Context)
   */
  begin(name: string, kind: SpanKind, attributes: Attributes, headers?: Headers): Span
}

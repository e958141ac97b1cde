import { workFor, workOwner, workRecord } from '../hidden-parameters.ts'
import { StatementGroups } from './statement-groups.ts'
import type { Attributes, Span } from './tracing.ts'

/** Part of a piece of work that is timed: a search, an embedding, or a wait for the database. */
type Part = 'search' | 'embedding' | 'wait'

/** Names of the spans of parts. */
const SPAN_OF: Readonly<Record<Part, string>> = {
  search: 'search',
  embedding: 'embedding',
  wait: 'database wait',
}
/** Shortest wait for a connection or the writer that gets a span. */
const WAIT_MIN_MS = 1

/**
 * Notes for whom a piece of work runs, such as a request, and what it spends its time on. Its parts may run side by
 * side, so they can take longer together than the work itself. All times are in milliseconds.
 */
export class WorkRecord {
  /** Span of the work in its trace; null when there is no tracing. */
  readonly span: Span | null
  /** Time at which the work began, on the clock of `performance`. */
  readonly startedAtMs = performance.now()
  tenantId: string | null = null
  /** Id of the API key, session, access token or operator credential. Never the credential itself. */
  credentialId: string | null = null
  /** Whether the credential is a publishable key, which every visitor of a page has. */
  isVisitors = false
  #statements = 0
  #databaseMs = 0
  readonly #parts: Record<Part, number> = { search: 0, embedding: 0, wait: 0 }
  /** Time that the sender took to send the body. */
  receivingMs = 0
  #watermark: number | null = null
  /** Time at which the answer was ready to be sent, on the clock of `performance`; null before. */
  answeredAtMs: number | null = null
  readonly #groups: StatementGroups | null

  constructor(span: Span | null) {
    this.span = span
    this.#groups = span === null ? null : new StatementGroups(span)
  }

  /** Number of the last change that the work has stored; null without one. */
  get watermark(): number | null {
    return this.#watermark
  }

  /** Notes the number of a change that the work has stored; null for none. */
  noteWatermark(number: number | null): void {
    if (number !== null) this.#watermark = Math.max(number, this.#watermark ?? 0)
  }

  /** Notes a statement that has ended. @param system database system, as OpenTelemetry names it */
  statement(system: string, sql: string, startedMs: number): void {
    const endedMs = performance.now()
    this.#statements++
    this.#databaseMs += endedMs - startedMs
    this.#groups?.add(system, sql, startedMs, endedMs)
  }

  /** Notes a part that has ended. */
  add(part: Part, startedMs: number): void {
    const endedMs = performance.now()
    this.#parts[part] += endedMs - startedMs
    if (this.span === null || (part === 'wait' && endedMs - startedMs < WAIT_MIN_MS)) return
    this.#groups!.end()
    this.span.add(SPAN_OF[part], 'internal', { startedMs, endedMs })
  }

  /**
   * Returns the milliseconds until the answer was ready, without the time that the sender took to send the body.
   * @param durationMs time from the beginning of the work to its end
   */
  ownMs(durationMs: number): number {
    return (this.answeredAtMs === null ? durationMs : this.answeredAtMs - this.startedAtMs) - this.receivingMs
  }

  /**
   * Returns the milliseconds in which this thread or the database worked: without waits for a connection or the writer,
   * and without searches, whose time the search thread counts.
   */
  workMs(durationMs: number): number {
    return Math.max(0, this.ownMs(durationMs) - this.#parts.wait - this.#parts.search)
  }

  /** Ends the span of the work, if it has one. */
  end(isFailed: boolean, attributes?: Attributes): void {
    if (this.span === null) return
    this.#groups!.end()
    this.span.end(isFailed, attributes)
  }

  /** Milliseconds of each part, and the number of statements, for the log. */
  get spent(): Readonly<Record<string, number>> {
    const { search, embedding, wait } = this.#parts
    const times = {
      databaseMs: this.#databaseMs,
      databaseWaitMs: wait,
      searchMs: search,
      embeddingMs: embedding,
      receivingMs: this.receivingMs,
    }
    const rounded = Object.entries(times).map(([name, ms]) => [name, Math.round(ms * 1_000) / 1_000] as const)
    return { ...Object.fromEntries(rounded), statements: this.#statements }
  }
}

/** Runs a part of the running request, and notes how long it took. Outside of requests it only runs the part. */
export function spending<T>(part: Part, work: () => Promise<T>): Promise<T> {
  const record = workRecord()
  return record === null ? work() : timed(record, part, work)
}

async function timed<T>(record: WorkRecord, part: Part, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  try {
    return await work()
  } finally {
    record.add(part, startedMs)
  }
}

/** Runs work within a span of its own, as a part of the running work. Without a trace it only runs the work. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const whole = workRecord()
  if (whole === null || whole.span === null) return work()
  const part = new WorkRecord(whole.span.begin(name, 'internal', attributes))
  return runRecorded(part, work).finally(() => whole.noteWatermark(part.watermark))
}

/** Runs work as a piece of its own, with a trace of its own. @param span null runs it without one */
export function tracedWork<T>(span: Span | null, work: () => Promise<T>): Promise<T> {
  return span === null ? work() : runRecorded(new WorkRecord(span), work)
}

async function runRecorded<T>(record: WorkRecord, work: () => Promise<T>): Promise<T> {
  let isFailed = true
  try {
    const result = await workFor(workOwner(), work, record)
    isFailed = false
    return result
  } finally {
    record.end(isFailed)
  }
}

/**
 * Calls another service, within a span.
 * @param call gets the headers that name the trace to the service, and returns the answer with its HTTP status
 */
export async function calling<T extends { readonly status: number }>(
  name: string,
  attributes: Attributes,
  call: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const span = workRecord()?.span?.begin(name, 'client', attributes) ?? null
  if (span === null) return call({})
  try {
    const answer = await call(span.headers)
    span.end(answer.status >= 400, { 'http.response.status_code': answer.status })
    return answer
  } catch (error) {
    span.end(true, { 'error.type': (error as Error).name })
    throw error
  }
}

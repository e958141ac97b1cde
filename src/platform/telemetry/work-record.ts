import { workFor, workOwner, workRecord } from '../hidden-parameters.ts'
import { StatementGroups } from './statement-groups.ts'
import type { Attributes, Span } from './tracing.ts'

/** What somebody waits for while a piece of work runs, besides the work itself. */
type Part = 'search' | 'embedding' | 'wait'

const SPAN_OF: Readonly<Record<Part, string>> = {
  search: 'search',
  embedding: 'embedding',
  wait: 'database wait',
}
/** A shorter wait for a connection or the writer is no span of its own. */
const WAIT_MIN_MS = 1

/**
 * What a piece of work, such as a request, is for and spends its time on. Parts may run side by side, so that they can
 * take longer together than the work took. All times in milliseconds.
 */
export class WorkRecord {
  /** Where the trace is told; null while nobody asks for traces. */
  readonly span: Span | null
  /** On the clock of `performance`. */
  readonly startedAtMs = performance.now()
  tenantId: string | null = null
  /** Id of the API key, session, access token or operator credential. Never the credential itself. */
  credentialId: string | null = null
  /** Whether that is a publishable key, which everybody has. */
  isVisitors = false
  #statements = 0
  #databaseMs = 0
  readonly #parts: Record<Part, number> = { search: 0, embedding: 0, wait: 0 }
  /** Time that the sender took to send the body. */
  receivingMs = 0
  /** When the answer was ready to be sent, on the clock of `performance`; null before. */
  answeredAtMs: number | null = null
  readonly #groups: StatementGroups | null

  constructor(span: Span | null) {
    this.span = span
    this.#groups = span === null ? null : new StatementGroups(span)
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

  /** Ends the span of the work, if it has one. */
  end(isFailed: boolean, attributes?: Attributes): void {
    if (this.span === null) return
    this.#groups!.end()
    this.span.end(isFailed, attributes)
  }

  /** What took time, for the log. */
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

/** Runs a part of the running request, and notes how long it took. Outside of requests it just runs. */
export function spending<T>(part: Part, work: () => Promise<T>): Promise<T> {
  const record = workRecord()
  return record === null ? work() : noted(record, part, work)
}

async function noted<T>(record: WorkRecord, part: Part, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now()
  try {
    return await work()
  } finally {
    record.add(part, startedMs)
  }
}

/** Runs work within a span of its own, as a part of the running work; without a trace it just runs. */
export function inSpan<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const span = workRecord()?.span ?? null
  return span === null ? work() : within(span.begin(name, 'internal', attributes), work)
}

/** Runs work as a piece of its own, with a trace of its own. @param span null runs it without one */
export function tracedWork<T>(span: Span | null, work: () => Promise<T>): Promise<T> {
  return span === null ? work() : within(span, work)
}

async function within<T>(span: Span, work: () => Promise<T>): Promise<T> {
  const record = new WorkRecord(span)
  let isFailed = true
  try {
    const made = await workFor(workOwner(), work, record)
    isFailed = false
    return made
  } finally {
    record.end(isFailed)
  }
}

/**
 * Calls a service outside, within a span.
 * @param call is given the headers that tell the service of the trace, and returns what came back with its status
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

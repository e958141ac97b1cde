import type { Attributes, Span } from './tracing.ts'

/** Longest pause between two statements of a group. */
const PAUSE_MS = 1
/** Most names of statements in a span. */
const NAMES_MAX = 5
/** First table of a statement, as Kysely writes it. */
const TABLE = /\b(?:from|into|update) "(\w+)"/i

interface Group {
  readonly system: string
  readonly startedMs: number
  endedMs: number
  statements: number
  readonly names: Set<string>
}

/**
 * Makes spans of groups of statements. A span for each statement would mean a hundred spans for some requests, and most
 * statements take microseconds. So statements that follow each other share a span, which names the first few of them.
 */
export class StatementGroups {
  readonly #span: Span
  #group: Group | null = null

  constructor(span: Span) {
    this.#span = span
  }

  /** Adds a statement that has ended. @param system database system, as OpenTelemetry names it */
  add(system: string, sql: string, startedMs: number, endedMs: number): void {
    if (this.#group !== null && startedMs - this.#group.endedMs > PAUSE_MS) this.end()
    const group = (this.#group ??= { system, startedMs, endedMs, statements: 0, names: new Set() })
    group.endedMs = Math.max(group.endedMs, endedMs)
    group.statements++
    if (group.names.size < NAMES_MAX) group.names.add(nameOf(sql))
  }

  /** Ends the group that has begun, if one has. */
  end(): void {
    if (this.#group === null) return
    const { system, startedMs, endedMs, statements, names } = this.#group
    this.#group = null
    const attributes: Attributes = {
      'db.system.name': system,
      'db.operation.batch.size': statements,
      'db.query.summary': [...names].join('; '),
    }
    this.#span.add('database', 'client', { startedMs, endedMs }, attributes)
  }
}

/** Returns a name of a statement without its values, such as `select entries` or `commit`. */
function nameOf(sql: string): string {
  const verb = sql.trimStart().split(/[\s;]/, 1)[0].toLowerCase()
  const table = TABLE.exec(sql)?.[1]
  return table === undefined ? verb : `${verb} ${table}`
}

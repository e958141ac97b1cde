import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'

const names = new Map<string, string>()

/**
 * Makes each PostgreSQL connection prepare this statement once, instead of parsing and planning it every time. SQLite's
 * connections keep all statements anyway. Use it only for statements of every request, because a kept plan ignores the
 * values. The select list must name its columns: `*` would fail on connections that prepared it before a migration.
 */
export function keepPrepared({ sql }: CompiledQuery): void {
  // The name comes from the text: behind a pooler, processes of two versions may share a connection.
  if (!names.has(sql)) names.set(sql, `kept_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`)
}

/** Returns the name of a statement of `keepPrepared`; undefined for other statements. */
export function preparedName(sql: string): string | undefined {
  return names.get(sql)
}

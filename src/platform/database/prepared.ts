import { createHash } from 'node:crypto'
import type { CompiledQuery } from 'kysely'

const names = new Map<string, string>()

/**
 * Has each connection to PostgreSQL prepare a statement once instead of parsing and planning it every time; SQLite's
 * connections keep whatever they can. Only for what runs on every request: a kept plan knows no values. A select list
 * has to name its columns, since one that a migration changes fails on the connections that have it prepared.
 */
export function keepPrepared({ sql }: CompiledQuery): void {
  // By what it is: behind a pooler, processes of two versions may share a connection.
  if (!names.has(sql)) names.set(sql, `kept_${createHash('sha256').update(sql).digest('hex').slice(0, 32)}`)
}

/** The name that a connection prepares the statement by, if it is to be kept. */
export function preparedName(sql: string): string | undefined {
  return names.get(sql)
}

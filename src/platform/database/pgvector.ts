import { PostgresAdapter, sql } from 'kysely'
import type { Queries, Tx } from './database.ts'

/** Oldest supported version. Older ones cannot go on with a scan whose filter left too few rows. */
const VERSION_MIN = [0, 8]

/**
 * Reason why a database cannot have pgvector: SQLite has none (`database`), the server lacks the extension, its version
 * is too old, or the role may not add it (`rights`).
 */
export type PgvectorLack = 'database' | 'extension' | 'version' | 'rights'

/** Adds pgvector to the database unless it is there already. @returns the lack that prevents it, or null */
export async function addPgvector(tx: Tx): Promise<PgvectorLack | null> {
  if (!isPostgres(tx)) return 'database'
  const { rows } = await sql<{ offered: string; installed: string | null }>`
    select default_version as offered, installed_version as installed from pg_available_extensions
    where name = 'vector'`.execute(tx)
  if (rows.length === 0) return 'extension'
  const [{ offered, installed }] = rows
  if (!isNewEnough(installed ?? offered)) return 'version'
  if (installed !== null) return null
  try {
    await sql`create extension vector`.execute(tx)
    return null
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return 'rights'
    throw error
  }
}

function isPostgres(queries: Queries): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter
}

function isNewEnough(version: string): boolean {
  const [major, minor] = version.split('.').map(Number)
  return major > VERSION_MIN[0] || (major === VERSION_MIN[0] && minor >= VERSION_MIN[1])
}

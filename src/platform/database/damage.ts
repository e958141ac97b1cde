import { sql } from 'kysely'
import type { Queries } from './database.ts'

/** The first damage that SQLite finds in the structure of its file, in its words; null when it finds none. */
export async function findDamage(db: Queries): Promise<string | null> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const [{ quick_check: found }] = rows
  return found === 'ok' ? null : found
}

/**
 * Like `findDamage`, but also compares each index with its table and each reference with what it refers to. That takes
 * several times as long.
 */
export async function findAnyDamage(db: Queries): Promise<string | null> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
  const [{ integrity_check: found }] = rows
  if (found !== 'ok') return found
  const broken = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db)
  const [first] = broken.rows
  return first === undefined ? null : `a row of ${first.table} refers to one of ${first.parent} that is missing`
}

import { sql } from 'kysely'
import type { Queries } from './database.ts'

/** The first damage that SQLite finds in the structure of its file, in its words; null when it finds none. */
export async function findDamage(db: Queries): Promise<string | null> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const [{ quick_check: found }] = rows
  return found === 'ok' ? null : found
}

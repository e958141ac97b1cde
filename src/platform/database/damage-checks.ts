import { sql } from 'kysely'
import type { Queries } from './database.ts'

/**
 * Returns the first damage that SQLite finds in the structure of its file, in SQLite's words; null when it finds none.
 */
export async function findDamage(db: Queries): Promise<string | null> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
  const [{ quick_check: damage }] = rows
  return damage === 'ok' ? null : damage
}

/**
 * Returns how many pages PostgreSQL has found damaged by their checksums since it began to count, and when it found the
 * last one; null where the cluster has no checksums.
 */
export async function checksumFailures(db: Queries): Promise<{ pages: number; lastAt: Date | null } | null> {
  const { rows } = await sql<{ pages: number | null; lastAt: Date | null }>`
    select checksum_failures as pages, checksum_last_failure as "lastAt"
    from pg_stat_database where datname = current_database()`.execute(db)
  const [{ pages, lastAt }] = rows
  return pages === null ? null : { pages, lastAt }
}

/**
 * Like `findDamage`, but also compares each index with its table and each reference with the row that it refers to.
 * That takes several times as long.
 */
export async function findAnyDamage(db: Queries): Promise<string | null> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(1)`.execute(db)
  const [{ integrity_check: damage }] = rows
  if (damage !== 'ok') return damage
  const broken = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db)
  const [first] = broken.rows
  return first === undefined ? null : `a row of ${first.table} refers to one of ${first.parent} that is missing`
}

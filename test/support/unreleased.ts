import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'

/** Replaces the names of the applied migrations in a database. */
export async function nameMigrations({ queries }: Database, names: readonly string[]): Promise<void> {
  await sql`delete from kysely_migration`.execute(queries)
  for (const [place, name] of names.entries()) {
    const timestamp = new Date(Date.UTC(2026, 10, 1, 0, 0, place)).toISOString()
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(queries)
  }
}

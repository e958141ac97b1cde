import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'

/** Makes a database with the schema one that has these migrations in place of its own. */
export async function nameMigrations({ queries }: Database, names: readonly string[]): Promise<void> {
  await sql`delete from kysely_migration`.execute(queries)
  for (const [place, name] of names.entries()) {
    const timestamp = new Date(Date.UTC(2026, 10, 1, 0, 0, place)).toISOString()
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(queries)
  }
}

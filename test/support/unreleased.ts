import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'

/** Replaces the names of the applied migrations in a database, and undoes those that came after the first release. */
export async function nameMigrations({ queries }: Database, names: readonly string[]): Promise<void> {
  const { rows } = await sql`select 1 from kysely_migration where name = '0002-text-changes'`.execute(queries)
  for (const table of rows.length === 0 ? [] : ['entries', 'products']) {
    await sql`alter table ${sql.table(table)} drop column text_seq`.execute(queries)
  }
  for (const column of rows.length === 0 ? [] : ['prompts_others', 'prompt_author_id']) {
    await sql`alter table entries drop column ${sql.ref(column)}`.execute(queries)
  }
  await sql`delete from kysely_migration`.execute(queries)
  for (const [place, name] of names.entries()) {
    const timestamp = new Date(Date.UTC(2026, 10, 1, 0, 0, place)).toISOString()
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(queries)
  }
}

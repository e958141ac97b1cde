import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'

/** Columns that came after the first release, by migration. */
const ADDED: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  '0002-text-changes': [
    ['entries', 'text_seq'],
    ['products', 'text_seq'],
  ],
  '0003-tenant-work': ['requests', 'work_ms', 'transferred', 'index_bytes'].map((column) => ['usage_days', column]),
  '0004-prompts-for-others': [
    ['entries', 'prompts_others'],
    ['entries', 'prompt_author_id'],
  ],
  '0005-client-keys': [['oauth_clients', 'key_id']],
  '0006-provider-id-tokens': [
    ['sessions', 'provider_id_token'],
    ['sign_in_steps', 'provider_id_token'],
  ],
  '0008-model-choice': [['tenants', 'embedding_choice']],
  '0009-text-hashes': [
    ['entry_vectors', 'text_hashes'],
    ['product_vectors', 'text_hashes'],
  ],
}

/** Tables that came after the first release, by migration. */
const ADDED_TABLES: Readonly<Record<string, readonly string[]>> = { '0007-model-scales': ['embedding_models'] }

/** Replaces the names of the applied migrations in a database, and undoes those that came after the first release. */
export async function nameMigrations({ queries }: Database, names: readonly string[]): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(queries)
  for (const [table, column] of rows.flatMap(({ name }) => ADDED[name] ?? [])) {
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(queries)
  }
  for (const table of rows.flatMap(({ name }) => ADDED_TABLES[name] ?? []))
    await sql`drop table ${sql.table(table)}`.execute(queries)
  await sql`delete from kysely_migration`.execute(queries)
  for (const [place, name] of names.entries()) {
    const timestamp = new Date(Date.UTC(2026, 10, 1, 0, 0, place)).toISOString()
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(queries)
  }
}

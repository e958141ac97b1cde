import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Keeps the sealed ID token of a sign-in at the outside provider, which the provider wants to see at its end. */
export const providerIdTokens: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['sessions', 'sign_in_steps']) {
      await sql`alter table ${sql.table(table)} add column provider_id_token text`.execute(db)
    }
  },
}

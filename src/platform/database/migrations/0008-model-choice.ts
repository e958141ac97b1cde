import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Keeps the embedding model that a tenant has chosen. What there is has chosen none, and keeps its model. */
export const modelChoice: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`alter table tenants add column embedding_choice text`.execute(db)
  },
}

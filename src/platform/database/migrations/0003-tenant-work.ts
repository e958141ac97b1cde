import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counts what each tenant takes of the service on a day. Earlier days have 0. */
export const tenantWork: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const column of ['requests', 'work_ms', 'transferred', 'index_bytes']) {
      await sql`alter table usage_days add column ${sql.ref(column)} bigint not null default 0`.execute(db)
    }
  },
}

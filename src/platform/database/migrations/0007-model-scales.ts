import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** Keeps what was measured of each model that is not built in. Models belong to no tenant: all rows have the tenant `*`. */
export function modelScales(dialect: DialectName): Migration {
  const { key } = columnTypes(dialect)
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        create table embedding_models (
          tenant_id ${key} not null,
          model ${key} not null,
          mean double precision not null,
          spread double precision not null,
          measured_at bigint not null,
          constraint embedding_models_pk primary key (tenant_id, model)
        )`.execute(db)
    },
  }
}

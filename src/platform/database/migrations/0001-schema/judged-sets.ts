import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/** Sets of queries with judged hits, and the figures of their runs. */
export const judgedSetTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table judged_sets (
        tenant_id ${key} not null,
        id ${key} not null,
        name text not null,
        section text not null,
        created_at bigint not null,
        updated_at bigint not null,
        constraint judged_sets_pk primary key (tenant_id, id),
        constraint judged_sets_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,

    sql`
      create table judged_queries (
        tenant_id ${key} not null,
        id ${key} not null,
        set_id ${key} not null,
        query ${key} not null,
        judgments text not null,
        constraint judged_queries_pk primary key (tenant_id, id),
        constraint judged_queries_once unique (tenant_id, set_id, query),
        constraint judged_queries_set foreign key (tenant_id, set_id) references judged_sets (tenant_id, id)
          on delete cascade
      )`,
    sql`create index judged_queries_by_set on judged_queries (tenant_id, set_id, id)`,

    sql`
      create table judged_runs (
        tenant_id ${key} not null,
        id ${key} not null,
        set_id ${key} not null,
        state text not null,
        ceiling text not null,
        settings text not null,
        done integer not null,
        total integer not null,
        ndcg double precision,
        first_right double precision,
        results text not null,
        started_at bigint not null,
        renewed_at bigint not null,
        finished_at bigint,
        constraint judged_runs_pk primary key (tenant_id, id),
        constraint judged_runs_set foreign key (tenant_id, set_id) references judged_sets (tenant_id, id)
          on delete cascade
      )`,
    sql`create index judged_runs_by_set on judged_runs (tenant_id, set_id, id)`,
  ]
}

import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import { onlyOn, type Statements } from './statements.ts'

/**
 * The bin: deleted entries rest in tables of their own, so that no statement on entries has to leave them out. An entry
 * is stored as JSON of its row, so that a new column of entries needs no new column in the bin. The JSON comes last,
 * since SQLite reads a row from its beginning.
 */
export const binTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table binned_entries (
        tenant_id ${key} not null,
        id ${key} not null,
        visibility text not null,
        workspace_id ${key},
        created_by_user_id ${key},
        deleted_at bigint not null,
        purge_at bigint not null,
        deleted_by_user_id ${key},
        type text not null,
        title text not null,
        category_id ${key} not null,
        language text not null,
        source text not null,
        source_reference ${key},
        version bigint not null,
        projects text not null,
        sites text not null,
        entry text not null,
        constraint binned_entries_pk primary key (tenant_id, id),
        constraint binned_entries_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index binned_entries_newest on binned_entries (tenant_id, deleted_at, id)`,
    sql`create index binned_entries_due on binned_entries (purge_at)`,
    // For the same reason as `entries_by_source`.
    ...onlyOn('postgres', dialect, [
      sql`create index binned_entries_by_source on binned_entries using hash (source_reference)`,
    ]),
    ...onlyOn('sqlite', dialect, [
      sql`create index binned_entries_by_source on binned_entries (tenant_id, source_reference)`,
    ]),
    sql`create index binned_personal on binned_entries (tenant_id, created_by_user_id) where visibility = 'personal'`,

    sql`
      create table binned_entry_versions (
        tenant_id ${key} not null,
        entry_id ${key} not null,
        version bigint not null,
        visibility text not null,
        workspace_id ${key},
        title text not null,
        updated_at bigint not null,
        snapshot text not null,
        constraint binned_entry_versions_pk primary key (tenant_id, entry_id, version),
        constraint binned_entry_versions_entry foreign key (tenant_id, entry_id)
          references binned_entries (tenant_id, id) on delete cascade
      )`,
    sql`
      create index binned_versions_personal on binned_entry_versions (tenant_id, entry_id)
      where visibility = 'personal'`,
  ]
}

import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/** Sites and the entries that are assigned to them. */
export const siteTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table sites (
        tenant_id ${key} not null,
        id ${key} not null,
        slug ${key} not null,
        name text not null,
        domain text,
        language text not null,
        site_type text not null,
        platform text,
        config text not null,
        is_default bigint not null,
        created_at bigint not null,
        constraint sites_pk primary key (tenant_id, id),
        constraint sites_slug unique (tenant_id, slug),
        constraint sites_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create unique index sites_default on sites (tenant_id) where is_default = 1`,
    sql`create index sites_in_order on sites (tenant_id, is_default desc, name, id)`,

    sql`
      create table site_entries (
        tenant_id ${key} not null,
        site_id ${key} not null,
        entry_id ${key} not null,
        constraint site_entries_pk primary key (tenant_id, site_id, entry_id),
        constraint site_entries_site foreign key (tenant_id, site_id) references sites (tenant_id, id)
          on delete cascade,
        constraint site_entries_entry foreign key (tenant_id, entry_id) references entries (tenant_id, id)
          on delete cascade
      )`,
    // For the same reason as `project_entries_by_entry`.
    sql`create index site_entries_by_entry on site_entries (tenant_id, entry_id, site_id)`,
  ]
}

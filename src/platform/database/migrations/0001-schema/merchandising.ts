import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/**
 * Merchandising: the rules of sites, and for each tenant its synonyms, its stop words and the number of their last
 * change.
 */
export const merchandisingTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table merchandising (
        tenant_id ${key} not null,
        seq bigint not null,
        synonyms text not null,
        stop_words text not null,
        constraint merchandising_pk primary key (tenant_id),
        constraint merchandising_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,

    sql`
      create table merchandising_rules (
        tenant_id ${key} not null,
        id ${key} not null,
        site_id ${key} not null,
        definition text not null,
        created_at bigint not null,
        updated_at bigint not null,
        constraint merchandising_rules_pk primary key (tenant_id, id),
        constraint merchandising_rules_site foreign key (tenant_id, site_id) references sites (tenant_id, id)
          on delete cascade
      )`,
    sql`create index merchandising_rules_by_site on merchandising_rules (tenant_id, site_id, id)`,
  ]
}

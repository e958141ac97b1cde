import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/**
 * The search log, its clicks, the boosts that click learning makes of them, and the salts for the hashes of visitors.
 */
export const searchLogTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table search_log (
        tenant_id ${key} not null,
        id ${key} not null,
        section ${key} not null,
        at bigint not null,
        site_id ${key},
        mode text not null,
        query text,
        query_key ${key},
        page_offset bigint not null,
        hits bigint not null,
        shown text not null,
        user_id ${key},
        client_id text,
        duration_ms double precision not null,
        clicks bigint not null,
        first_rank bigint,
        visitor ${key},
        constraint search_log_pk primary key (tenant_id, id, section),
        constraint search_log_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    // Both indexes contain all columns that the analytics count, so that a million rows are counted without reading
    // them.
    sql`
      create index search_log_by_time
      on search_log (tenant_id, at, section, site_id, page_offset, hits, clicks, first_rank)`,
    sql`
      create index search_log_by_query
      on search_log (tenant_id, query_key, at, section, site_id, page_offset, hits, clicks)`,
    // The index has only the searches that click learning may use.
    sql`
      create index search_log_by_visitor
      on search_log (tenant_id, section, site_id, query_key, at, id, user_id, visitor)
      where clicks > 0 and coalesce(user_id, visitor) is not null`,

    sql`
      create table search_clicks (
        tenant_id ${key} not null,
        id ${key} not null,
        at bigint not null,
        search_log_id ${key} not null,
        search_known bigint not null,
        action text not null,
        product_id ${key} not null,
        section ${key} not null,
        rank bigint not null,
        score double precision not null,
        shown_rank bigint,
        site_id ${key},
        user_id ${key},
        client_id text,
        visitor ${key},
        network ${key},
        constraint search_clicks_pk primary key (tenant_id, id),
        constraint search_clicks_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index search_clicks_by_time on search_clicks (tenant_id, at, section, site_id, product_id, action)`,
    sql`create index search_clicks_by_search on search_clicks (tenant_id, search_log_id)`,

    sql`
      create table click_boosts (
        tenant_id ${key} not null,
        site_id ${key} not null,
        query_key ${key} not null,
        product_id ${key} not null,
        clicks double precision not null,
        expected_clicks double precision not null,
        boost double precision not null,
        computed_at bigint not null,
        constraint click_boosts_pk primary key (tenant_id, site_id, query_key, product_id),
        constraint click_boosts_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,

    sql`
      create table visitor_salts (
        tenant_id ${key} not null,
        period bigint not null,
        sealed text not null,
        constraint visitor_salts_pk primary key (tenant_id, period),
        constraint visitor_salts_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
  ]
}

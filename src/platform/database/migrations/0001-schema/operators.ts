import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/**
 * Operators, who stand above tenants, the audit log of the installation, the usage of tenants, and the state of
 * backups. Rows that belong to no tenant have the tenant `*`, so their tables have no foreign key.
 */
export const operatorTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table operators (
        tenant_id ${key} not null,
        id ${key} not null,
        name text not null,
        hash ${key} not null,
        hint text not null,
        created_at bigint not null,
        expires_at bigint,
        revoked_at bigint,
        last_used_at bigint,
        constraint operators_pk primary key (tenant_id, id)
      )`,
    sql`create index operators_by_hash on operators (hash)`,

    sql`
      create table operator_log (
        tenant_id ${key} not null,
        id ${key} not null,
        at bigint not null,
        action text not null,
        resource_type text not null,
        resource_id ${key} not null,
        operator_id ${key},
        source text not null,
        constraint operator_log_pk primary key (tenant_id, id)
      )`,
    sql`create index operator_log_newest on operator_log (tenant_id, at, id)`,

    // No new tenant gets an id that indexes and caches of running processes may still know.
    sql`
      create table removed_tenants (
        tenant_id ${key} not null,
        removed_at bigint not null,
        constraint removed_tenants_pk primary key (tenant_id)
      )`,

    sql`
      create table tenant_usage (
        tenant_id ${key} not null,
        counted_at bigint not null,
        watermark bigint not null,
        entries bigint not null,
        products bigint not null,
        passages bigint not null,
        bytes bigint not null,
        users bigint not null,
        keys bigint not null,
        constraint tenant_usage_pk primary key (tenant_id),
        constraint tenant_usage_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,

    sql`
      create table usage_days (
        tenant_id ${key} not null,
        day ${key} not null,
        searches bigint not null,
        tokens bigint not null,
        constraint usage_days_pk primary key (tenant_id, day),
        constraint usage_days_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,

    // The table has one row: the outcome of the last backups, and the process that makes one.
    sql`
      create table backup_state (
        tenant_id ${key} not null primary key,
        holder text,
        held_until bigint,
        succeeded_at bigint,
        path text,
        bytes bigint,
        took_ms bigint,
        failed_at bigint,
        failure text
      )`,
  ]
}

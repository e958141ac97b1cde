import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/**
 * Data of the OAuth server: clients, grants, codes, tokens and signing keys. Rows without a tenant (an authorization
 * before the sign-in, a client that registered itself) have the tenant `*`, which is no valid tenant name; so these
 * tables have no foreign key to tenants.
 */
export const oauthTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table oauth_clients (
        tenant_id ${key} not null,
        id ${key} not null,
        registration text not null,
        metadata text not null,
        secret_hash text,
        management_hash text,
        scopes_max text not null,
        user_id ${key},
        created_at bigint not null,
        last_used_at bigint,
        constraint oauth_clients_pk primary key (tenant_id, id)
      )`,
    sql`create index oauth_clients_by_id on oauth_clients (id)`,
    sql`create index oauth_clients_newest on oauth_clients (tenant_id, created_at desc, id)`,

    sql`
      create table oauth_records (
        tenant_id ${key} not null,
        kind ${key} not null,
        hash ${key} not null,
        payload text not null,
        uid ${key},
        grant_id ${key},
        client_id ${key},
        user_id ${key},
        scopes text not null,
        audience text,
        consumed_at bigint,
        created_at bigint not null,
        expires_at bigint,
        constraint oauth_records_pk primary key (tenant_id, kind, hash)
      )`,
    sql`create index oauth_records_by_hash on oauth_records (hash)`,
    sql`create index oauth_records_by_uid on oauth_records (uid)`,
    sql`create index oauth_records_by_grant on oauth_records (grant_id)`,
    sql`create index oauth_records_by_client on oauth_records (tenant_id, client_id)`,
    sql`create index oauth_records_by_end on oauth_records (expires_at)`,

    sql`
      create table oauth_signing_keys (
        tenant_id ${key} not null,
        id ${key} not null,
        sealed text not null,
        created_at bigint not null,
        constraint oauth_signing_keys_pk primary key (tenant_id, id)
      )`,
  ]
}

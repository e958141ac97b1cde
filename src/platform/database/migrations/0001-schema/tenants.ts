import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/** Tenants, their users and keys, and the audit log. */
export const tenantTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table tenants (
        tenant_id ${key} not null,
        name text not null,
        host ${key},
        settings text not null,
        embedding_model text,
        model_chosen_at bigint not null default 0,
        watermark bigint not null default 0,
        created_at bigint not null,
        settings_version bigint not null default 1,
        suspended_at bigint,
        remove_at bigint,
        removing_at bigint,
        reference ${key},
        quotas text,
        grown_bytes bigint not null default 0,
        embedding_paused_until bigint,
        constraint tenants_pk primary key (tenant_id)
      )`,
    sql`create index tenants_by_host on tenants (host)`,
    sql`create index tenants_by_reference on tenants (reference) where reference is not null`,
    // Few tenants are suspended, and background work asks for them all the time.
    sql`create index tenants_suspended on tenants (tenant_id) where suspended_at is not null`,

    sql`
      create table users (
        tenant_id ${key} not null,
        id ${key} not null,
        email ${key} not null,
        name text not null,
        role text not null,
        disabled_at bigint,
        created_at bigint not null,
        ceiling text,
        language text,
        erased_at bigint,
        constraint users_pk primary key (tenant_id, id),
        constraint users_email unique (tenant_id, email),
        constraint users_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    // A sign-in names an address, and perhaps no tenant.
    sql`create index users_by_email on users (email)`,

    sql`
      create table api_keys (
        tenant_id ${key} not null,
        id ${key} not null,
        user_id ${key},
        name text not null,
        hash ${key} not null,
        hint text not null,
        scopes text not null,
        expires_at bigint,
        revoked_at bigint,
        last_used_at bigint,
        created_at bigint not null,
        issuer_kind text,
        issuer_id ${key},
        issuer_user_id ${key},
        publishable text,
        constraint api_keys_pk primary key (tenant_id, id),
        constraint api_keys_hash unique (tenant_id, hash),
        constraint api_keys_tenant foreign key (tenant_id) references tenants (tenant_id),
        constraint api_keys_user foreign key (tenant_id, user_id) references users (tenant_id, id)
      )`,
    sql`create index api_keys_by_hash on api_keys (hash)`,
    sql`create index api_keys_oldest on api_keys (tenant_id, created_at, id)`,

    // The row of a publishable key has its origins too. A browser's preflight names an origin and no key.
    sql`
      create table publishable_origins (
        tenant_id ${key} not null,
        key_id ${key} not null,
        origin ${key} not null,
        constraint publishable_origins_pk primary key (tenant_id, key_id, origin),
        constraint publishable_origins_key foreign key (tenant_id, key_id) references api_keys (tenant_id, id)
      )`,
    sql`create index publishable_origins_by_origin on publishable_origins (origin)`,

    sql`
      create table audit_log (
        tenant_id ${key} not null,
        id ${key} not null,
        at bigint not null,
        action text not null,
        resource_type text not null,
        resource_id ${key} not null,
        user_id ${key},
        credential_id ${key},
        source text not null,
        client_id text,
        claimed_source text,
        claimed_client_id text,
        details text,
        constraint audit_log_pk primary key (tenant_id, id),
        constraint audit_log_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
  ]
}

import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/** Passwords, accounts at an outside provider, and people's sessions. */
export const signInTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table user_passwords (
        tenant_id ${key} not null,
        user_id ${key} not null,
        hash text not null,
        changed_at bigint not null,
        constraint user_passwords_pk primary key (tenant_id, user_id),
        constraint user_passwords_user foreign key (tenant_id, user_id) references users (tenant_id, id)
      )`,

    sql`
      create table user_identities (
        tenant_id ${key} not null,
        issuer ${key} not null,
        subject ${key} not null,
        user_id ${key} not null,
        created_at bigint not null,
        left_at bigint,
        constraint user_identities_pk primary key (tenant_id, issuer, subject),
        constraint user_identities_user foreign key (tenant_id, user_id) references users (tenant_id, id)
      )`,
    sql`create index user_identities_by_subject on user_identities (subject, issuer)`,

    sql`
      create table sign_in_rules (
        tenant_id ${key} not null,
        version bigint not null,
        rules text not null,
        constraint sign_in_rules_pk primary key (tenant_id),
        constraint sign_in_rules_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,

    sql`
      create table sessions (
        tenant_id ${key} not null,
        id ${key} not null,
        hash ${key} not null,
        user_id ${key} not null,
        created_at bigint not null,
        expires_at bigint not null,
        address text,
        browser text,
        strength text not null default 'password',
        factors_reset_at bigint,
        provider_issuer ${key},
        provider_subject ${key},
        provider_sid ${key},
        constraint sessions_pk primary key (tenant_id, id),
        constraint sessions_hash unique (tenant_id, hash),
        constraint sessions_user foreign key (tenant_id, user_id) references users (tenant_id, id)
      )`,
    sql`create index sessions_by_hash on sessions (hash)`,
    sql`create index sessions_by_user on sessions (tenant_id, user_id)`,
    sql`create index sessions_by_end on sessions (expires_at)`,
    sql`create index sessions_by_provider_subject on sessions (provider_subject)`,
    sql`create index sessions_by_provider_sid on sessions (provider_sid)`,

    // A logout token is of no one tenant, so its row has the tenant * and no foreign key.
    sql`
      create table used_logout_tokens (
        tenant_id ${key} not null,
        hash ${key} not null,
        expires_at bigint not null,
        constraint used_logout_tokens_pk primary key (tenant_id, hash)
      )`,
    sql`create index used_logout_tokens_by_end on used_logout_tokens (expires_at)`,
  ]
}

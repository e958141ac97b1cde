import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/** Invitations, links that set a password, mail that waits to be sent, and people who are erased. */
export const peopleTables: Statements = (dialect) => {
  const { key } = columnTypes(dialect)
  return [
    sql`
      create table invitations (
        tenant_id ${key} not null,
        id ${key} not null,
        email ${key} not null,
        role text not null,
        ceiling text,
        hash ${key} not null,
        invited_by_user_id ${key},
        created_at bigint not null,
        expires_at bigint not null,
        invited_by_key_id ${key},
        constraint invitations_pk primary key (tenant_id, id),
        constraint invitations_email unique (tenant_id, email),
        constraint invitations_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    // A link names no tenant, so its row is found by the hash alone.
    sql`create index invitations_by_hash on invitations (hash)`,
    sql`create index invitations_by_end on invitations (expires_at)`,

    sql`
      create table password_resets (
        tenant_id ${key} not null,
        user_id ${key} not null,
        hash ${key} not null,
        created_at bigint not null,
        expires_at bigint not null,
        given_by_user_id ${key},
        given_by_key_id ${key},
        constraint password_resets_pk primary key (tenant_id, user_id),
        constraint password_resets_user foreign key (tenant_id, user_id) references users (tenant_id, id)
      )`,
    sql`create index password_resets_by_hash on password_resets (hash)`,
    sql`create index password_resets_by_end on password_resets (expires_at)`,

    sql`
      create table mail_outbox (
        tenant_id ${key} not null,
        id ${key} not null,
        sealed text not null,
        attempts integer not null,
        next_at bigint not null,
        expires_at bigint not null,
        constraint mail_outbox_pk primary key (tenant_id, id),
        constraint mail_outbox_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index mail_outbox_by_time on mail_outbox (next_at)`,

    sql`
      create table user_erasures (
        tenant_id ${key} not null,
        user_id ${key} not null,
        begun_at bigint not null,
        constraint user_erasures_pk primary key (tenant_id, user_id),
        constraint user_erasures_user foreign key (tenant_id, user_id) references users (tenant_id, id)
      )`,
  ]
}

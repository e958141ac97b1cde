import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import type { Statements } from './statements.ts'

/**
 * Second factors of people who sign in: authenticator apps, passkeys and recovery codes, the sign-ins that wait for
 * one, and the challenges that passkeys answer.
 */
export const secondFactorTables: Statements = (dialect) => {
  const { key, bytes } = columnTypes(dialect)
  return [
    sql`
      create table user_totp (
        tenant_id ${key} not null,
        user_id ${key} not null,
        sealed text,
        confirmed_at bigint,
        last_step bigint,
        pending_sealed text,
        pending_until bigint,
        constraint user_totp_pk primary key (tenant_id, user_id),
        constraint user_totp_user foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
      )`,

    sql`
      create table recovery_codes (
        tenant_id ${key} not null,
        user_id ${key} not null,
        hash ${key} not null,
        constraint recovery_codes_pk primary key (tenant_id, user_id, hash),
        constraint recovery_codes_user foreign key (tenant_id, user_id) references users (tenant_id, id)
          on delete cascade
      )`,

    sql`
      create table passkeys (
        tenant_id ${key} not null,
        user_id ${key} not null,
        id ${key} not null,
        credential_id ${key} not null,
        public_key ${bytes} not null,
        counter bigint not null,
        transports text not null,
        name text not null,
        created_at bigint not null,
        last_used_at bigint,
        constraint passkeys_pk primary key (tenant_id, id),
        constraint passkeys_credential unique (tenant_id, credential_id),
        constraint passkeys_user foreign key (tenant_id, user_id) references users (tenant_id, id) on delete cascade
      )`,
    sql`create index passkeys_by_user on passkeys (tenant_id, user_id)`,
    sql`create index passkeys_by_credential on passkeys (credential_id)`,

    sql`
      create table factor_resets (
        tenant_id ${key} not null,
        user_id ${key} not null,
        reset_at bigint not null,
        constraint factor_resets_pk primary key (tenant_id, user_id),
        constraint factor_resets_user foreign key (tenant_id, user_id) references users (tenant_id, id)
          on delete cascade
      )`,

    sql`
      create table sign_in_steps (
        tenant_id ${key} not null,
        user_id ${key} not null,
        hash ${key} not null,
        password_changed_at bigint,
        failures integer not null,
        created_at bigint not null,
        expires_at bigint not null,
        session_seconds integer not null,
        provider_issuer ${key},
        provider_subject ${key},
        provider_sid ${key},
        constraint sign_in_steps_pk primary key (tenant_id, hash),
        constraint sign_in_steps_user foreign key (tenant_id, user_id) references users (tenant_id, id)
          on delete cascade
      )`,
    sql`create index sign_in_steps_by_hash on sign_in_steps (hash)`,
    sql`create index sign_in_steps_by_user on sign_in_steps (tenant_id, user_id)`,
    sql`create index sign_in_steps_by_end on sign_in_steps (expires_at)`,
    sql`create index sign_in_steps_by_provider_subject on sign_in_steps (provider_subject)`,
    sql`create index sign_in_steps_by_provider_sid on sign_in_steps (provider_sid)`,

    // A challenge for an unknown person has the tenant *, so challenges have no foreign key.
    sql`
      create table passkey_challenges (
        tenant_id ${key} not null,
        purpose ${key} not null,
        bound_to ${key} not null,
        challenge text not null,
        expires_at bigint not null,
        constraint passkey_challenges_pk primary key (tenant_id, purpose, bound_to)
      )`,
    sql`create index passkey_challenges_by_end on passkey_challenges (expires_at)`,
  ]
}

import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Names the API key that registered each OAuth client, so that the client can end with the user who issued the key.
 * For earlier registrations the key comes from the audit log, as far back as the log reaches.
 */
export function clientKeys(dialect: DialectName): Migration {
  const { key } = columnTypes(dialect)
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`alter table oauth_clients add column key_id ${key}`.execute(db)
      await sql`update oauth_clients set key_id = made.credential_id
        from (
          select a.tenant_id, a.resource_id, a.credential_id from audit_log a
          join api_keys k on k.tenant_id = a.tenant_id and k.id = a.credential_id
          where a.resource_type = 'oauth_client' and a.action = 'create'
        ) as made
        where made.tenant_id = oauth_clients.tenant_id and made.resource_id = oauth_clients.id
          and oauth_clients.registration = 'key'`.execute(db)
    },
  }
}

import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** Columns of the two tables that this migration reads and writes. */
type Before = {
  audit_log: {
    tenant_id: string
    resource_id: string
    resource_type: string
    action: string
    user_id: string | null
    credential_id: string | null
    source: string
  }
  api_keys: {
    tenant_id: string
    id: string
    issuer_kind: string | null
    issuer_id: string | null
    issuer_user_id: string | null
  }
}

/**
 * Records each key's issuer, and separates a gateway's claims in the audit log from what the service knows. Existing
 * keys get their issuer from their audit record where possible; other issuers stay unknown. In records of keys, a
 * channel that keys cannot use, or any client, must have been claimed.
 */
export function issuersAndClaimsMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema.alterTable('api_keys').addColumn('issuer_kind', 'text').execute()
    await schema.alterTable('api_keys').addColumn('issuer_id', key).execute()
    await schema.alterTable('api_keys').addColumn('issuer_user_id', key).execute()
    await schema.alterTable('audit_log').addColumn('claimed_source', 'text').execute()
    await schema.alterTable('audit_log').addColumn('claimed_client_id', 'text').execute()
    await nameIssuers(db.withTables<Before>())

    const isOfKey = sql`exists (
      select 1 from api_keys k where k.tenant_id = audit_log.tenant_id and k.id = audit_log.credential_id)`
    await sql`
      update audit_log set claimed_source = source, source = 'api'
      where source not in ('api', 'mcp') and ${isOfKey}`.execute(db)
    await sql`
      update audit_log set claimed_client_id = client_id, client_id = null
      where client_id is not null and ${isOfKey}`.execute(db)
  }

  return { up }
}

async function nameIssuers(db: Kysely<Before>): Promise<void> {
  const keys = await db.selectFrom('api_keys').select(['tenant_id', 'id']).execute()
  const isKey = new Set(keys.map(({ tenant_id, id }) => `${tenant_id} ${id}`))
  const issues = await db
    .selectFrom('audit_log')
    .select(['tenant_id', 'resource_id', 'user_id', 'credential_id', 'source'])
    .where('resource_type', '=', 'api_key')
    .where('action', '=', 'create')
    .execute()
  for (const { tenant_id, resource_id, user_id, credential_id, source } of issues) {
    const known = credential_id !== null && isKey.has(`${tenant_id} ${credential_id}`) ? 'key' : null
    const kind = known ?? (credential_id === null ? 'cli' : source === 'console' ? 'session' : null)
    if (kind === null) continue
    await db
      .updateTable('api_keys')
      .set({ issuer_kind: kind, issuer_id: credential_id, issuer_user_id: user_id })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', resource_id)
      .execute()
  }
}

import type { Queries } from '../../platform/database/database.ts'
import type { Reach } from '../sessions/reach.ts'

/** A tenant's rules as JSON, and their version, which grows by one with each change. */
interface RulesRow {
  readonly rules: string
  readonly version: number
}

export async function findRules(db: Queries, tenantId: string): Promise<RulesRow | null> {
  const row = await db
    .selectFrom('sign_in_rules')
    .select(['rules', 'version'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row ?? null
}

export async function putRules(db: Queries, tenantId: string, { rules, version }: RulesRow): Promise<void> {
  await db
    .insertInto('sign_in_rules')
    .values({ tenant_id: tenantId, rules, version })
    .onConflict((c) => c.column('tenant_id').doUpdateSet({ rules, version }))
    .execute()
}

/** Returns the ids of tenants in reach that are not suspended, at most `limit`. */
export async function tenantsWithin(db: Queries, { tenantId, named }: Reach, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tenants')
    .select('tenant_id')
    .where((eb) => (tenantId === null ? eb('host', 'is', null) : eb('tenant_id', '=', tenantId)))
    .$if(named !== null, (query) => query.where('tenant_id', '=', named!))
    .where('suspended_at', 'is', null)
    .limit(limit)
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Tells whether a tenant at the shared address makes users of people of the provider. */
export async function anySharedMakesUsers(db: Queries): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_rules as r')
    .innerJoin('tenants as t', 't.tenant_id', 'r.tenant_id')
    .where('t.host', 'is', null)
    // JSON.stringify writes the field like this. In the name of a group it would escape the quotes.
    .where('r.rules', 'like', '%"create_users":true%')
    .select('r.tenant_id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

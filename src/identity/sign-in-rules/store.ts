import type { Queries } from '../../platform/database/database.ts'

/** A tenant's rules as stored, and the number of their state. */
interface StoredRules {
  readonly rules: string
  readonly version: number
}

export async function findRules(db: Queries, tenantId: string): Promise<StoredRules | null> {
  const row = await db
    .selectFrom('sign_in_rules')
    .select(['rules', 'version'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row ?? null
}

export async function putRules(db: Queries, tenantId: string, { rules, version }: StoredRules): Promise<void> {
  await db
    .insertInto('sign_in_rules')
    .values({ tenant_id: tenantId, rules, version })
    .onConflict((c) => c.column('tenant_id').doUpdateSet({ rules, version }))
    .execute()
}

/** Where a person may sign in: the tenant of a host or all tenants without one, and the one they named. */
interface Place {
  readonly tenantId: string | null
  readonly named: string | null
}

/** Ids of at most so many of the tenants in reach that are not suspended. */
export async function tenantsWithin(db: Queries, { tenantId, named }: Place, limit: number): Promise<string[]> {
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

/** Whether a tenant without a host of its own makes users. */
export async function anySharedMakesUsers(db: Queries): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_rules as r')
    .innerJoin('tenants as t', 't.tenant_id', 'r.tenant_id')
    .where('t.host', 'is', null)
    // As JSON.stringify writes it; within the name of a group the quotes would be escaped.
    .where('r.rules', 'like', '%"create_users":true%')
    .select('r.tenant_id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

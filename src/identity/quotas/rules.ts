import type { Caller } from '../../platform/access/caller.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { notFound } from '../../platform/faults.ts'
import { dayOf } from '../../platform/usage/usage-tally.ts'
import { changesBetween } from '../tenants/changes.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import type { TenantQuotas } from './contract.ts'
import { quotasAfter, parseQuotas, QUOTA_MAX, type QuotaFields, quotaFields, serialiseQuotas } from './quotas.ts'
import { bytesAtMost } from './room.ts'
import * as store from './store.ts'

/** Shows administrators the quotas of their tenant. */
export class QuotaRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  read({ tenant }: Caller): Promise<TenantQuotas> {
    return readQuotas(this.#database, tenant.id)
  }
}

/** Returns a tenant's quotas and how much of them it uses. @throws Fault not_found */
export async function readQuotas(
  { queries }: Pick<Database, 'queries'>,
  tenantId: string,
  now: number = Date.now(),
): Promise<TenantQuotas> {
  const use = await store.findUse(queries, tenantId)
  if (use === null) throw notFound(['tenant'], `Tenant ${tenantId}`)
  const { counted_at: at, embedding_paused_until: until } = use
  const quotas = parseQuotas(use.quotas)
  return {
    ...quotaFields(quotas),
    used: {
      entries: quotas?.entries == null ? (use.entries ?? 0) : await store.countEntries(queries, tenantId, QUOTA_MAX),
      bytes: bytesAtMost(use),
      embedding_tokens: await store.tokensSince(queries, tenantId, firstDayOfMonth(now)),
      counted_at: at === null ? null : new Date(at).toISOString(),
    },
    embedding_paused_until: until === null || until <= now ? null : new Date(until).toISOString(),
  }
}

/**
 * Changes quotas of a tenant, as its operator. The change takes effect on the next request, in every process.
 * @param fields the quotas to change; null removes one
 * @param alsoWrite writes more in the same transaction
 * @throws Fault not_found
 */
export async function changeQuotas(
  database: Database,
  tenantId: string,
  fields: QuotaFields,
  actor: Actor,
  alsoWrite: (tx: Tx) => Promise<void> = async () => undefined,
  now: number = Date.now(),
): Promise<void> {
  await database.write(async (tx) => {
    await lockTenant(tx, tenantId)
    const use = await store.findUse(tx, tenantId)
    if (use === null) throw notFound(['tenant'], `Tenant ${tenantId}`)
    const before = parseQuotas(use.quotas)
    const after = quotasAfter(before, fields)
    const changes = changesBetween(auditFields(quotaFields(before)), auditFields(quotaFields(after)))
    if (Object.keys(changes).length === 0) return
    const quotas = serialiseQuotas(after)
    await store.putQuotas(tx, tenantId, quotas)
    await settlePause(tx, { ...use, tenant_id: tenantId, quotas }, now)
    const event = { action: 'update', resourceType: 'tenant', resourceId: tenantId, details: { changes } } as const
    await recordAudit(tx, tenantId, actor, [event])
    await alsoWrite(tx)
  }, tenantId)
}

/** Returns quotas by their names in the audit log, where the prefix tells them from settings. */
function auditFields(fields: Required<QuotaFields>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, most]) => [`quota_${name}`, most]))
}

/**
 * Pauses embedding until the next month for tenants that have used up the tokens of this month, and ends the pause of
 * tenants that may use more.
 * @param now milliseconds since 1970
 */
export async function settlePauses(database: Database, now: number): Promise<void> {
  for (const row of await store.boundTenants(database.queries)) {
    if ((await pauseEnd(database.queries, row, now)) === row.embedding_paused_until) continue
    await database.write(async (tx) => {
      const use = await store.findUse(tx, row.tenant_id)
      if (use !== null) await settlePause(tx, { ...use, tenant_id: row.tenant_id }, now)
    }, row.tenant_id)
  }
}

/** Row of a tenant with quotas or a pause. */
type BoundTenant = Awaited<ReturnType<typeof store.boundTenants>>[number]

async function settlePause(tx: Tx, row: BoundTenant, now: number): Promise<void> {
  const until = await pauseEnd(tx, row, now)
  if (until !== row.embedding_paused_until) await store.pauseUntil(tx, row.tenant_id, until)
}

/** Returns when the pause of a tenant has to end, in milliseconds since 1970; null for no pause. */
async function pauseEnd(
  db: Database['queries'],
  { tenant_id: id, quotas }: BoundTenant,
  now: number,
): Promise<number | null> {
  const most = parseQuotas(quotas)?.embeddingTokensPerMonth ?? null
  if (most === null || (await store.tokensSince(db, id, firstDayOfMonth(now))) < most) return null
  return nextMonth(now)
}

function firstDayOfMonth(now: number): string {
  return `${dayOf(now).slice(0, 7)}-01`
}

function nextMonth(now: number): number {
  const at = new Date(now)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
}

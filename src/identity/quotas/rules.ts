import type { Caller } from '../../platform/access/caller.ts'
import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { notFound } from '../../platform/faults.ts'
import { dayOf } from '../../platform/usage/usage-tally.ts'
import { changesBetween } from '../tenants/changes.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import type { TenantQuotas } from './contract.ts'
import { changedQuotas, parseQuotas, QUOTA_MAX, type QuotaFields, quotaFields, storedQuotas } from './quotas.ts'
import { bytesAtMost } from './room.ts'
import * as store from './store.ts'

/** Quotas of a tenant, for its administrators. */
export class QuotaRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  read({ tenant }: Caller): Promise<TenantQuotas> {
    return readQuotas(this.#database, tenant.id)
  }
}

/** A tenant's quotas with what it has and used. @throws Fault not_found */
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
 * Changes quotas of a tenant, as its operator. They hold from the next request on, in every process.
 * @param fields absent ones stay, null lifts one
 * @param alsoWrite what else the same transaction writes
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
    const after = changedQuotas(before, fields)
    const changes = changesBetween(named(quotaFields(before)), named(quotaFields(after)))
    if (Object.keys(changes).length === 0) return
    const quotas = storedQuotas(after)
    await store.putQuotas(tx, tenantId, quotas)
    await settlePause(tx, { ...use, tenant_id: tenantId, quotas }, now)
    const event = { action: 'update', resourceType: 'tenant', resourceId: tenantId, details: { changes } } as const
    await recordAudit(tx, tenantId, actor, [event])
    await alsoWrite(tx)
  }, tenantId)
}

/** Names of quotas in the audit log, which has settings under theirs. */
function named(fields: Required<QuotaFields>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, most]) => [`quota_${name}`, most]))
}

/**
 * Pauses embedding for tenants that have used the tokens of this month, until the next one begins, and goes on for those
 * that may use more.
 * @param now milliseconds since 1970
 */
export async function settlePauses(database: Database, now: number): Promise<void> {
  for (const row of await store.boundTenants(database.queries)) {
    if ((await wantedPause(database.queries, row, now)) === row.embedding_paused_until) continue
    await database.write(async (tx) => {
      const use = await store.findUse(tx, row.tenant_id)
      if (use !== null) await settlePause(tx, { ...use, tenant_id: row.tenant_id }, now)
    }, row.tenant_id)
  }
}

type Bound = Awaited<ReturnType<typeof store.boundTenants>>[number]

async function settlePause(tx: Tx, row: Bound, now: number): Promise<void> {
  const until = await wantedPause(tx, row, now)
  if (until !== row.embedding_paused_until) await store.pauseUntil(tx, row.tenant_id, until)
}

async function wantedPause(
  db: Database['queries'],
  { tenant_id: id, quotas }: Bound,
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

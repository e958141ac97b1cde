import type { TenantSettings } from '../../platform/access/caller.ts'
import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { addPgvector, type PgvectorLack } from '../../platform/database/pgvector.ts'
import { conflict, invalid, notFound } from '../../platform/faults.ts'
import { changesBetween } from './changes.ts'
import { parseSettings, readSetting, settingFields, TENANT_SETTINGS } from './settings.ts'
import * as store from './store.ts'

const TENANT_ID = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Host name in lower case, of at most 253 characters, with or without a port. */
const HOST = /^(?=[^:]{1,253}(?::|$))[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?$/

async function checkHost(tx: Tx, tenantId: string, host: string): Promise<void> {
  if (!HOST.test(host))
    throw invalid(
      ['host'],
      'string_pattern_mismatch',
      'A host must be a host name in lower case, with or without a port',
    )
  const owner = await store.hostOwner(tx, host)
  if (owner !== null && owner !== tenantId) throw conflict(['host'], 'The host belongs to another tenant')
}

async function checkReference(tx: Tx, tenantId: string, reference: string): Promise<void> {
  const owner = await store.findTenantByReference(tx, reference)
  if (owner !== null && owner.tenant_id !== tenantId) throw conflict(['reference'], 'Another tenant has this reference')
}

/**
 * Refuses a tenant of another installation that cannot come to this one, within a transaction that holds `lockTenants`.
 * @throws Fault conflict when its id belonged to a removed tenant, or its host or reference belongs to another tenant;
 *   invalid for a malformed host
 */
export async function requireRoomFor(
  tx: Tx,
  { tenant_id: id, host, reference }: Pick<TenantRow, 'tenant_id' | 'host' | 'reference'>,
): Promise<void> {
  if (await store.wasRemoved(tx, id)) throw conflict(['tenant'], `A tenant ${id} was removed, and its id stays its own`)
  if (host !== null) await checkHost(tx, id, host)
  if (reference !== null) await checkReference(tx, id, reference)
}

/** @throws Fault invalid for an id that no tenant can have */
export function requireTenantId(id: string): void {
  if (!TENANT_ID.test(id))
    throw invalid(['tenant'], 'string_pattern_mismatch', 'A tenant id must have 1 to 63 characters of a-z, 0-9 and -')
}

export interface NewTenant {
  readonly id: string
  readonly name: string
  readonly host: string | null
  /** Settings by name, as `knowledge tenant set` takes them. */
  readonly settings?: Readonly<Record<string, string>>
  /** The operator's own name for the tenant; two tenants never have the same. */
  readonly reference?: string | null
}

/**
 * Creates a tenant within a transaction that holds `lockTenants`.
 * @returns its settings
 * @throws Fault when the id is malformed, taken or belonged to a removed tenant, the host or reference belongs to
 *   another tenant, or a setting is faulty
 */
export async function addTenant(
  tx: Tx,
  { id, name, host, settings = {}, reference = null }: NewTenant,
  actor: Actor,
): Promise<TenantSettings> {
  requireTenantId(id)
  if (await store.findTenant(tx, id)) throw conflict(['tenant'], `The tenant ${id} exists already`)
  // Indexes and caches of running processes may still know what the removed tenant had.
  if (await store.wasRemoved(tx, id)) throw conflict(['tenant'], `A tenant ${id} was removed; choose another id`)
  if (host !== null) await checkHost(tx, id, host)
  if (reference !== null) await checkReference(tx, id, reference)
  const json = JSON.stringify(readSettings(settings))
  await store.insertTenant(tx, {
    tenant_id: id,
    name,
    host,
    settings: json,
    embedding_model: null,
    watermark: 0,
    created_at: Date.now(),
    suspended_at: null,
    remove_at: null,
    removing_at: null,
    reference,
  })
  await recordAudit(tx, id, actor, [{ action: 'create', resourceType: 'tenant', resourceId: id }])
  return parseSettings(json)
}

/** Change of a tenant. Absent fields stay. */
interface TenantChange {
  readonly name?: string
  readonly host?: string | null
  /** The operator's own name for the tenant. */
  readonly reference?: string | null
  readonly settings?: Partial<TenantSettings>
}

/**
 * Changes a tenant's name, host, reference or settings, the settings as text of the command line.
 * @param alsoWrite writes more in the same transaction; `changed` names the fields that differ
 * @throws Fault naming the faulty setting
 */
export async function changeTenant(
  database: Database,
  tenantId: string,
  change: {
    readonly name?: string
    readonly host?: string | null
    readonly reference?: string | null
    readonly settings?: Readonly<Record<string, string>>
  },
  actor: Actor = OPERATOR,
  alsoWrite: (tx: Tx, changed: readonly string[]) => Promise<void> = async () => undefined,
): Promise<void> {
  const settings = readSettings(change.settings ?? {})
  await database.write(async (tx) => {
    await store.lockTenants(tx, database.portable.name)
    await alsoWrite(tx, await applyChange(tx, await requireTenant(tx, tenantId), { ...change, settings }, actor))
  }, tenantId)
}

/**
 * Stores a change of a tenant, and records its fields before and after. A change without a difference is not recorded.
 * The caller holds a lock on the tenant.
 * @returns the names of the fields that differ
 * @throws Fault when the host is malformed or belongs to another tenant
 */
export async function applyChange(
  tx: Tx,
  row: Pick<TenantRow, 'tenant_id' | 'name' | 'host' | 'reference' | 'settings'>,
  change: TenantChange,
  actor: Actor,
): Promise<string[]> {
  const { tenant_id: tenantId } = row
  if (change.host) await checkHost(tx, tenantId, change.host)
  if (change.reference) await checkReference(tx, tenantId, change.reference)
  const before = {
    name: row.name,
    host: row.host,
    reference: row.reference,
    ...settingFields(parseSettings(row.settings)),
  }
  const values = { ...(JSON.parse(row.settings) as Partial<TenantSettings>), ...change.settings }
  const { name = row.name, host = row.host, reference = row.reference } = change
  const settings = JSON.stringify(values)
  const changes = changesBetween(before, { name, host, reference, ...settingFields(parseSettings(settings)) })
  if (Object.keys(changes).length === 0) return []
  if (parseSettings(settings).searchEngine !== parseSettings(row.settings).searchEngine) {
    await requireEngine(tx, parseSettings(settings).searchEngine)
  }
  await store.updateTenant(tx, tenantId, { name, host, reference, settings })
  const details = { changes }
  await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'tenant', resourceId: tenantId, details }])
  return Object.keys(changes)
}

/** Refuses an engine that the database cannot serve. @throws Fault invalid */
async function requireEngine(tx: Tx, engine: TenantSettings['searchEngine']): Promise<void> {
  const lack = engine === 'pgvector' ? await addPgvector(tx) : null
  if (lack !== null) throw invalid(['body', 'search_engine'], 'pgvector_missing', PGVECTOR_NEEDS[lack])
}

const PGVECTOR_NEEDS: Readonly<Record<PgvectorLack, string>> = {
  database: 'pgvector needs PostgreSQL: this service keeps its data in SQLite',
  extension: 'pgvector is not installed on the PostgreSQL server: install it there, in Debian postgresql-17-pgvector',
  version: 'pgvector is too old on the PostgreSQL server: 0.8 or later is needed, then ALTER EXTENSION vector UPDATE',
  rights: 'The service may not add pgvector to its database: let an administrator run CREATE EXTENSION vector there',
}

/** Reads settings that are written as text. @throws Fault invalid, naming the faulty setting */
function readSettings(raw: Readonly<Record<string, string>>): Partial<TenantSettings> {
  const values = Object.entries(raw).map(([name, value]) => {
    if (!Object.hasOwn(TENANT_SETTINGS, name)) {
      throw invalid(
        [name],
        'unknown_setting',
        `There is no tenant setting ${name}; there are ${Object.keys(TENANT_SETTINGS).join(', ')}`,
      )
    }
    try {
      return [name, readSetting(name as keyof TenantSettings, value)]
    } catch (error) {
      throw invalid([name], 'value_error', `${name} ${(error as Error).message}`)
    }
  })
  return Object.fromEntries(values) as Partial<TenantSettings>
}

/**
 * Suspends or resumes a tenant, or plans, cancels or begins its removal. The caller holds a lock on the tenant, and
 * records the change.
 */
export async function changeState(
  tx: Tx,
  tenantId: string,
  change: Partial<Pick<TenantRow, 'suspended_at' | 'remove_at' | 'removing_at'>>,
): Promise<void> {
  await store.updateTenant(tx, tenantId, change)
}

/** Tells whether every other tenant is missing or is to be removed. */
export async function isLastTenant(db: Queries, tenantId: string): Promise<boolean> {
  return !(await store.hasStayingTenant(db, tenantId))
}

/** Returns a tenant, also a suspended one; null when there is none. */
export function findTenant(db: Queries, tenantId: string): Promise<TenantRow | null> {
  return store.findTenant(db, tenantId)
}

/** Returns a tenant, also a suspended one. @throws Fault not_found */
export async function requireTenant(db: Queries, tenantId: string): Promise<TenantRow> {
  const row = await store.findTenant(db, tenantId)
  if (row === null) throw notFound(['tenant'], `Tenant ${tenantId}`)
  return row
}

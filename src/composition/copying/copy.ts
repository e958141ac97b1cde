import { recordOperation } from '../../identity/operators/operator-log.ts'
import { lockTenants } from '../../identity/tenants/lock-rules.ts'
import { everyTenant } from '../../identity/tenants/list-rules.ts'
import { findTenant, requireRoomFor } from '../../identity/tenants/rules.ts'
import { OPERATOR } from '../../platform/audit/audit.ts'
import { waitForDatabase } from '../../platform/database/connect.ts'
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Queries,
  type Tx,
} from '../../platform/database/database.ts'
import { migrate, pendingMigrations } from '../../platform/database/migrate.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { DatabaseRefused } from '../../platform/database/refusals.ts'
import { DataDirectoryError } from '../../platform/database/sqlite.ts'
import { type TableShape, tableShapes } from '../../platform/database/table-shapes.ts'
import { BackupError } from '../backup/manifest.ts'
import { compareCounts, copyTable, type RowChange } from './copied-rows.ts'
import { isOfCopy, type Renaming } from './renamed.ts'
import { replaceRows } from './replaced-rows.ts'
import { countOf, letRest, setAddress } from './store.ts'

type Place = Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>

export interface Copy {
  readonly from: Place
  readonly to: Place
  /** The tenant to copy; null for the whole installation. */
  readonly tenantId: string | null
  /** Changes each row on its way, such as what is sealed with another key. */
  readonly change: RowChange
  /** The other name of the copy; null where it keeps its own. */
  readonly renaming: Renaming | null
  /** Whether a tenant of that id in the target gives way to the copy. */
  readonly replaces: boolean
  /** How messages name source and target, and what to do where the target has the tenant. */
  readonly words: CopyWords
}

export interface CopyWords {
  /** Such as `the backup`. */
  readonly source: string
  /** Such as `the installation`. */
  readonly target: string
  /** Such as `name another id with --as`. */
  readonly ifTaken: string
}

/** Tenants that a message names at most. */
const NAMED_TENANTS_MAX = 10

/**
 * Copies an installation, or one tenant of it, to another database, of the same kind or not: every row of every table
 * that the schema has. The source is seen at one moment and not changed; in the target all rows appear in one
 * transaction, so that readers never see a part.
 * @returns how many rows each table of the copy has
 * @throws BackupError when there is no such tenant, or when the target has what would be replaced, or another schema
 */
export async function copyData(copy: Copy): Promise<Record<string, number>> {
  const { from, to, tenantId, replaces } = copy
  return withSnapshot(from, async (source) => {
    const tenant = tenantId === null ? null : await requireStaying(source, tenantId, copy.words.source)
    const target = openDatabase(to)
    try {
      await requireAnswer(target)
      await prepare(target)
      const shapes = await tableShapes(target)
      return await target.write(async (tx) => {
        if (target.portable.name === 'postgres') await letRest(tx)
        if (tenant === null) return copyAll(source, tx, target, shapes, copy)
        const isThere = replaces && (await findTenant(tx, tenant.tenant_id)) !== null
        const own = shapes.filter(({ columns }) => columns.includes('tenant_id'))
        return isThere
          ? replaceRows(source, tx, own, { tenant, change: copy.change })
          : copyTenant(source, tx, target, own, { tenant, copy })
      })
    } finally {
      await target.close()
    }
  })
}

async function copyAll(
  source: Queries,
  tx: Tx,
  target: Database,
  shapes: readonly TableShape[],
  copy: Copy,
): Promise<Record<string, number>> {
  await lockTenants(tx, target)
  await requireRoom(tx, shapes, null, copy.words)
  for (const shape of shapes) await copyTable(source, tx, shape, { tenantId: null, change: copy.change })
  return compareCounts(source, tx, shapes, { tenantId: null, copyId: null })
}

/**
 * Copies a tenant that the target does not have. It gets its host and reference last, under the lock on the list of
 * tenants: writers of all tenants wait for that lock on PostgreSQL.
 */
async function copyTenant(
  source: Queries,
  tx: Tx,
  target: Database,
  shapes: readonly TableShape[],
  { tenant, copy }: { readonly tenant: TenantRow; readonly copy: Copy },
): Promise<Record<string, number>> {
  const { renaming, change } = copy
  const { tenant_id: tenantId } = tenant
  const copyId = renaming?.to ?? tenantId
  const address = renaming === null ? { host: tenant.host, reference: tenant.reference } : NO_ADDRESS
  const copied = renaming === null ? shapes : shapes.filter(({ name }) => isOfCopy(name))
  await requireRoomFor(tx, { tenant_id: copyId, ...address })
  await requireRoom(tx, shapes, copyId, copy.words)
  const withoutAddress: RowChange = (table, row) =>
    table === 'tenants' ? { ...change(table, row), ...NO_ADDRESS } : change(table, row)
  for (const shape of copied) await copyTable(source, tx, shape, { tenantId, change: withoutAddress })
  const counts = await compareCounts(source, tx, copied, { tenantId, copyId })
  await lockTenants(tx, target)
  await requireRoomFor(tx, { tenant_id: copyId, ...address })
  await setAddress(tx, copyId, address)
  await recordOperation(tx, OPERATOR, 'create', 'tenant', copyId)
  return counts
}

const NO_ADDRESS = { host: null, reference: null }

/** @throws BackupError when there is no such tenant, or its rows are being removed */
async function requireStaying(source: Queries, tenantId: string, name: string): Promise<TenantRow> {
  const tenant = await findTenant(source, tenantId)
  if (tenant === null) throw new BackupError(`There is no tenant ${tenantId} in ${name}. ${await tenantsOf(source)}`)
  if (tenant.removing_at !== null) throw new BackupError(`Tenant ${tenantId} is being removed and has not all it had.`)
  return tenant
}

/** Says which tenants a source has. */
async function tenantsOf(source: Queries): Promise<string> {
  const ids = (await everyTenant(source)).map(({ tenant_id: id }) => id)
  if (ids.length === 0) return 'It has none.'
  const more = ids.length - NAMED_TENANTS_MAX
  return `It has: ${ids.slice(0, NAMED_TENANTS_MAX).join(', ')}${more > 0 ? `, and ${more} more` : ''}.`
}

/**
 * @throws BackupError when the target does not answer; DataDirectoryError, DatabaseRefused for what waiting cannot mend
 */
async function requireAnswer(target: Database): Promise<void> {
  try {
    await waitForDatabase(target, { warn: () => undefined, info: () => undefined }, AbortSignal.abort())
  } catch (error) {
    if (error instanceof DataDirectoryError || error instanceof DatabaseRefused) throw error
    const { code, message } = error as { code?: string; message: string }
    throw new BackupError(`The target does not answer (${code ?? message}). Check that it runs, and its address.`)
  }
}

/** Makes the schema of an empty target. @throws BackupError when it has an older one, MigrationError for a newer one */
async function prepare(target: Database): Promise<void> {
  const { applied, pending } = await pendingMigrations(target)
  if (applied > 0 && pending.length > 0)
    throw new BackupError('The target is older than this program. Update it first: knowledge migrate')
  if (applied === 0) await migrate(target)
}

/** @throws BackupError when the copy would meet rows that are there already */
async function requireRoom(
  tx: Queries,
  shapes: readonly TableShape[],
  tenantId: string | null,
  { target, ifTaken }: CopyWords,
): Promise<void> {
  for (const shape of shapes) {
    if ((await countOf(tx, shape, tenantId)) === 0) continue
    if (tenantId === null)
      throw new BackupError(
        `The target has rows already (${shape.name}), and a copy replaces nothing. Name an empty one.`,
      )
    throw new BackupError(`There are rows of a tenant ${tenantId} in ${target} already (${shape.name}): ${ifTaken}.`)
  }
}

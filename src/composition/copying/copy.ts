import { recordOperation } from '../../identity/operators/operator-log.ts'
import { lockTenants } from '../../identity/tenants/lock-rules.ts'
import { requireRoomFor, requireTenant } from '../../identity/tenants/rules.ts'
import { OPERATOR } from '../../platform/audit/audit.ts'
import { waitForDatabase } from '../../platform/database/connect.ts'
import { type Database, type DatabaseOptions, openDatabase, type Queries } from '../../platform/database/database.ts'
import { migrate, pendingMigrations } from '../../platform/database/migrate.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { withSnapshot } from '../../platform/database/snapshot.ts'
import { DatabaseRefused } from '../../platform/database/refusals.ts'
import { DataDirectoryError } from '../../platform/database/sqlite.ts'
import { type TableShape, tableShapes } from '../../platform/database/table-shapes.ts'
import { BackupError } from '../backup/manifest.ts'
import { parentsFirst } from './parents-first.ts'
import type { Reseal } from './sealed.ts'
import { countOf, insertRows, letRest, readRows, type Row } from './store.ts'

/** Bytes of text and vectors in one statement, about. */
const BATCH_BYTES = 4 * 1024 * 1024
const BATCH_ROWS_MAX = 250
/** Rows of a table's first statement, before their length is known. */
const FIRST_ROWS = 16

type Place = Pick<DatabaseOptions, 'dataDir' | 'databaseUrl'>

export interface Copy {
  readonly from: Place
  readonly to: Place
  /** The tenant to copy; null for the whole installation. */
  readonly tenantId: string | null
  /** Seals values of the source again with the key of the target; null where both have the same key. */
  readonly reseal: Reseal | null
}

/**
 * Copies an installation, or one tenant of it, to another database, of the same kind or not: every row of every table
 * that the schema has. The source is seen at one moment and not changed; in the target all rows appear in one
 * transaction, so that readers never see a part.
 * @returns how many rows each table of the copy has
 * @throws Fault when there is no such tenant, BackupError when the target has what would be replaced, or another schema
 */
export async function copyData({ from, to, tenantId, reseal }: Copy): Promise<Record<string, number>> {
  return withSnapshot(from, async (source) => {
    const tenant = tenantId === null ? null : await requireStaying(source, tenantId)
    const target = openDatabase(to)
    try {
      await requireAnswer(target)
      await prepare(target)
      const shapes = await tableShapes(target)
      const shapesOfCopy = tenantId === null ? shapes : shapes.filter(({ columns }) => columns.includes('tenant_id'))
      return await target.write(async (tx) => {
        if (target.portable.name === 'postgres') await letRest(tx)
        await lockTenants(tx, target)
        if (tenant !== null) await requireRoomFor(tx, tenant)
        await requireRoom(tx, shapesOfCopy, tenantId)
        for (const shape of shapesOfCopy) await copyTable(source, tx, shape, tenantId, reseal)
        const counts = await compare(source, tx, shapesOfCopy, tenantId)
        if (tenantId !== null) await recordOperation(tx, OPERATOR, 'create', 'tenant', tenantId)
        return counts
      })
    } finally {
      await target.close()
    }
  })
}

/** @throws Fault when there is no such tenant, BackupError when its rows are being removed */
async function requireStaying(source: Queries, tenantId: string): Promise<TenantRow> {
  const tenant = await requireTenant(source, tenantId)
  if (tenant.removing_at !== null) throw new BackupError(`Tenant ${tenantId} is being removed and has not all it had.`)
  return tenant
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
async function requireRoom(tx: Queries, shapes: readonly TableShape[], tenantId: string | null): Promise<void> {
  for (const shape of shapes) {
    if ((await countOf(tx, shape, tenantId)) === 0) continue
    if (tenantId === null)
      throw new BackupError(
        `The target has rows already (${shape.name}), and a copy replaces nothing. Name an empty one.`,
      )
    throw new BackupError(`The target has rows of a tenant ${tenantId} (${shape.name}), and a copy replaces nothing.`)
  }
}

async function copyTable(
  source: Queries,
  tx: Queries,
  shape: TableShape,
  tenantId: string | null,
  reseal: Reseal | null,
): Promise<void> {
  const put = async (rows: readonly Row[]): Promise<void> => {
    await insertRows(tx, shape, reseal === null ? rows : rows.map((row) => reseal(shape.name, row)))
  }
  const selfReference = shape.references.find(({ to }) => to === shape.name)
  if (selfReference !== undefined) {
    const rows: Row[] = []
    for await (const batch of batchesOf(source, shape, tenantId)) rows.push(...batch)
    const sorted = parentsFirst(rows, selfReference.columns)
    for (let i = 0; i < sorted.length; i += BATCH_ROWS_MAX) await put(sorted.slice(i, i + BATCH_ROWS_MAX))
    return
  }
  for await (const batch of batchesOf(source, shape, tenantId)) await put(batch)
}

/** Yields rows in the order of the key. Each batch fits into a statement if its rows are as long as those before. */
async function* batchesOf(source: Queries, shape: TableShape, tenantId: string | null): AsyncGenerator<Row[]> {
  let after: Row | null = null
  let limit = FIRST_ROWS
  for (;;) {
    const rows: Row[] = await readRows(source, shape, tenantId, after, limit)
    if (rows.length > 0) yield rows
    if (rows.length < limit) return
    after = rows.at(-1)!
    const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 1)
    limit = Math.max(1, Math.min(BATCH_ROWS_MAX, Math.floor((BATCH_BYTES * rows.length) / bytes)))
  }
}

function bytesOf(row: Row): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : value instanceof Uint8Array ? value.length : 0),
    0,
  )
}

/** @throws BackupError unless the target has as many rows as the source */
async function compare(
  source: Queries,
  tx: Queries,
  shapes: readonly TableShape[],
  tenantId: string | null,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const shape of shapes) {
    const [there, here] = [await countOf(source, shape, tenantId), await countOf(tx, shape, tenantId)]
    if (there !== here) throw new BackupError(`The copy has ${here} rows of ${shape.name}, and the source ${there}.`)
    counts[shape.name] = here
  }
  return counts
}

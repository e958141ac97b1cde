import { recordOperation } from '../../identity/operators/operator-log.ts'
import { OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { DocumentTables } from '../../platform/database/document-tables.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import type { TableShape } from '../../platform/database/table-shapes.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import { ENTRY_EMBEDDING } from '../../knowledge/entries/indexing/entry-embedding.ts'
import { PRODUCT_EMBEDDING } from '../../shop/products/indexing/product-embedding.ts'
import { BackupError } from '../backup/manifest.ts'
import { compareCounts, copyTable, type RowChange } from './copied-rows.ts'
import { deleteRows, foreignReferences, markDocumentsGone, takeOver, unmarkDocuments } from './store.ts'

/**
 * Tables whose rows stay: the tenant itself, and what it has used, which operators count. What was deleted is noted anew.
 */
const KEPT: ReadonlySet<string> = new Set([
  'tenants',
  'usage_days',
  'tenant_usage',
  'entry_tombstones',
  'product_tombstones',
])

const DOCUMENTS: readonly DocumentTables[] = [ENTRY_EMBEDDING.tables, PRODUCT_EMBEDDING.tables]

/**
 * Puts a tenant's rows of the source in the place of those it has, within a transaction. Its id, host, reference, quotas
 * and suspension stay, since operators decide them, and its changes are numbered on: every row counts as changed now, so
 * that indexes and caches of running processes follow.
 * @returns how many rows each replaced table has
 * @throws BackupError when rows of other tenants refer to the tenant
 */
export async function replaceRows(
  source: Queries,
  tx: Tx,
  shapes: readonly TableShape[],
  { tenant, change }: { readonly tenant: TenantRow; readonly change: RowChange },
): Promise<Record<string, number>> {
  const { tenant_id: tenantId } = tenant
  // It locks the tenant: its writers wait, and write onto what is restored.
  const { seq } = await advanceWatermark(tx, tenantId)
  await requireUnreferenced(tx, shapes, tenantId)
  for (const tables of DOCUMENTS) await markDocumentsGone(tx, tables, tenantId, seq)
  const replaced = shapes.filter(({ name }) => !KEPT.has(name))
  for (const shape of replaced.toReversed()) await deleteRows(tx, shape, tenantId)
  const numbered: RowChange = (table, row) => ({
    ...change(table, row),
    ...('seq' in row ? { seq } : {}),
    ...('text_seq' in row ? { text_seq: seq } : {}),
  })
  for (const shape of replaced) await copyTable(source, tx, shape, { tenantId, change: numbered })
  const counts = await compareCounts(source, tx, replaced, { tenantId, copyId: tenantId })
  for (const tables of DOCUMENTS) await unmarkDocuments(tx, tables, tenantId)
  await takeOver(tx, tenantId, source)
  await recordAudit(tx, tenantId, OPERATOR, [{ action: 'restore', resourceType: 'tenant', resourceId: tenantId }])
  await recordOperation(tx, OPERATOR, 'restore', 'tenant', tenantId)
  return { ...counts, tenants: 1 }
}

/** @throws BackupError when rows of other tenants refer to rows of the tenant, and would lose what they refer to */
async function requireUnreferenced(tx: Queries, shapes: readonly TableShape[], tenantId: string): Promise<void> {
  for (const { name, references } of shapes)
    for (const reference of references) {
      if (reference.columns.some(({ here, there }) => here === 'tenant_id' && there === 'tenant_id')) continue
      const count = await foreignReferences(tx, name, reference, tenantId)
      if (count === 0) continue
      throw new BackupError(
        `${count} rows of other tenants (${name}) refer to ${reference.to} of ${tenantId}, which a restore would take from ` +
          'them. End these references first, or restore the tenant under another name.',
      )
    }
}

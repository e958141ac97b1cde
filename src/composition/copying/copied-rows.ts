import type { Queries } from '../../platform/database/database.ts'
import type { Row, TableShape } from '../../platform/database/table-shapes.ts'
import { BackupError } from '../backup/manifest.ts'
import { parentsFirst } from './parents-first.ts'
import { countOf, insertRows, readRows } from './store.ts'

/** Bytes of text and vectors in one statement, about. */
const BATCH_BYTES = 4 * 1024 * 1024
const BATCH_ROWS_MAX = 250
/** Rows of a table's first statement, before their length is known. */
const FIRST_ROWS = 16

/** Returns a row as the copy has it. */
export type RowChange = (table: string, row: Row) => Row

/** What is copied: the rows of a tenant, or all for null, each as `change` makes it. */
export interface CopiedRows {
  readonly tenantId: string | null
  readonly change: RowChange
}

/** Copies the rows of a table, each after the rows that it refers to. */
export async function copyTable(
  source: Queries,
  tx: Queries,
  shape: TableShape,
  { tenantId, change }: CopiedRows,
): Promise<void> {
  const put = async (rows: readonly Row[]): Promise<void> => {
    await insertRows(
      tx,
      shape,
      rows.map((row) => change(shape.name, row)),
    )
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

/**
 * Counts the rows of a copy.
 * @param copyId the tenant that has the rows in the target; null for all
 * @throws BackupError unless the target has as many rows as the source
 */
export async function compareCounts(
  source: Queries,
  tx: Queries,
  shapes: readonly TableShape[],
  { tenantId, copyId }: { readonly tenantId: string | null; readonly copyId: string | null },
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const shape of shapes) {
    const [there, here] = [await countOf(source, shape, tenantId), await countOf(tx, shape, copyId)]
    if (there !== here) throw new BackupError(`The copy has ${here} rows of ${shape.name}, and the source ${there}.`)
    counts[shape.name] = here
  }
  return counts
}

import { recordOperation } from '../../identity/operators/operator-log.ts'
import { OPERATOR } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { type Row, type TableShape, tableShapes } from '../../platform/database/table-shapes.ts'
import { SecretBox, type SecretSource } from '../../platform/secrets.ts'
import { keyNoteOf } from './key-note.ts'
import { SEALED } from './sealed.ts'
import { replaceSealed, sealedRows } from './store.ts'

/** Rows of one transaction. */
const BATCH_ROWS = 200

/** What a rotation did, in sealed values. */
export interface Rotation {
  /** Sealed anew with the present key. */
  readonly renewed: number
  /** Opened by no key, and left as they are. */
  readonly shut: number
  /** Whether the signal ended it before its end. */
  readonly isInterrupted: boolean
}

/**
 * Seals every value that a former key has sealed with the present one, in small transactions beside a service that runs.
 * What is sealed with the present key already is passed over, so it can be ended at any time and begun again. A value
 * that changes meanwhile stays as it was changed. The operators' log tells of it once.
 */
export async function rotateSeals(database: Database, place: SecretSource, signal: AbortSignal): Promise<Rotation> {
  const box = SecretBox.of(place)
  const { fingerprint } = keyNoteOf(place)
  const counts = { renewed: 0, shut: 0 }
  for (const shape of await tableShapes(database)) {
    const sealed = SEALED[shape.name]
    if (sealed === undefined) continue
    for await (const rows of pagesOf(database, shape, sealed.columns)) {
      if (signal.aborted) return { ...counts, isInterrupted: true }
      const changes: { row: Row; column: string; value: string }[] = []
      for (const row of rows)
        for (const column of sealed.columns) {
          const value = row[column]
          const opened = typeof value === 'string' ? box.openBy(sealed.purpose, value) : undefined
          if (opened === null) counts.shut++
          else if (opened?.isFormer === true)
            changes.push({ row, column, value: box.seal(sealed.purpose, opened.text) })
        }
      if (changes.length === 0) continue
      const isFirst = counts.renewed === 0
      counts.renewed += await database.write(async (tx) => {
        let renewed = 0
        for (const { row, column, value } of changes) renewed += await replaceSealed(tx, shape, row, column, value)
        if (isFirst && renewed > 0) await recordOperation(tx, OPERATOR, 'update', 'secret_key', fingerprint!)
        return renewed
      })
    }
  }
  return { ...counts, isInterrupted: false }
}

async function* pagesOf(
  { queries }: Database,
  shape: TableShape,
  columns: readonly string[],
): AsyncGenerator<readonly Row[]> {
  let after: Row | null = null
  for (;;) {
    const rows: readonly Row[] = await sealedRows(queries, shape, columns, after, BATCH_ROWS)
    if (rows.length > 0) yield rows
    if (rows.length < BATCH_ROWS) return
    after = rows.at(-1)!
  }
}

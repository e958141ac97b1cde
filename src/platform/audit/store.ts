import type { Queries } from '../database/database.ts'
import type { AuditRow } from '../database/tables.ts'

/** Rows of one statement. Databases limit its values, and a row has thirteen. */
const ROWS_PER_STATEMENT = 1_000

export async function insertRecords(tx: Queries, rows: readonly AuditRow[]): Promise<void> {
  for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT) {
    await tx
      .insertInto('audit_log')
      .values(rows.slice(i, i + ROWS_PER_STATEMENT))
      .execute()
  }
}

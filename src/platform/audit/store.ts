import type { Queries } from '../database/database.ts'
import type { AuditRow } from '../database/tables.ts'

/** Databases limit the values of one statement, and a row has thirteen. */
const ROWS_A_TIME = 1_000

export async function insertRecords(tx: Queries, rows: readonly AuditRow[]): Promise<void> {
  for (let i = 0; i < rows.length; i += ROWS_A_TIME) {
    await tx
      .insertInto('audit_log')
      .values(rows.slice(i, i + ROWS_A_TIME))
      .execute()
  }
}

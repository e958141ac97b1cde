import type { Database } from '../../platform/database/database.ts'
import { type LogBatch, writeBatch } from './store.ts'
import type { BatchOutcome } from './write-behind.ts'

/**
 * Codes of errors that refuse a row for good: in PostgreSQL the SQLSTATE classes data exception (22), integrity (23)
 * and program limits (54), and their counterparts in SQLite. Any other error may be over at the next attempt.
 */
const ROW_REFUSED = /^(?:22|23|54)...$|^SQLITE_(?:CONSTRAINT|TOOBIG|MISMATCH)/

/**
 * Writes a batch. When the database refuses a row, the batch is halved until that row is alone, and all other rows are
 * written.
 * @throws any other error of the database, such as an outage or a full disk; the whole batch may then be sent again
 */
export async function storeBatch(database: Database, batch: LogBatch): Promise<BatchOutcome> {
  try {
    await writeBatch(database, batch)
    return { refusedSearches: 0, refusedClicks: 0 }
  } catch (error) {
    if (!ROW_REFUSED.test(String((error as { code?: unknown }).code))) throw error
  }
  const { searches, clicks } = batch
  if (searches.length + clicks.length === 1) return { refusedSearches: searches.length, refusedClicks: clicks.length }
  const outcome = { refusedSearches: 0, refusedClicks: 0 }
  for (const half of halves(batch)) {
    const { refusedSearches, refusedClicks } = await storeBatch(database, half)
    outcome.refusedSearches += refusedSearches
    outcome.refusedClicks += refusedClicks
  }
  return outcome
}

function halves({ searches, clicks }: LogBatch): LogBatch[] {
  if (searches.length > 0 && clicks.length > 0)
    return [
      { searches, clicks: [] },
      { searches: [], clicks },
    ]
  const half = <T>(rows: readonly T[]): [T[], T[]] => {
    const middle = Math.ceil(rows.length / 2)
    return [rows.slice(0, middle), rows.slice(middle)]
  }
  const [firstSearches, otherSearches] = half(searches)
  const [firstClicks, otherClicks] = half(clicks)
  return [
    { searches: firstSearches, clicks: firstClicks },
    { searches: otherSearches, clicks: otherClicks },
  ]
}

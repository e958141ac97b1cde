import { csvCell } from '../../platform/csv-cell.ts'
import type { AuditRecord } from './contract.ts'

/** Columns of the table, in the order of the head line. */
const COLUMNS = [
  'id',
  'created_at',
  'action',
  'outcome',
  'resource_type',
  'resource_id',
  'user_id',
  'user_email',
  'user_name',
  'credential_id',
  'source',
  'client_id',
  'claimed_source',
  'claimed_client_id',
  'details',
] as const

/** Writes batches of records as text. */
type Lines = (batches: AsyncIterable<readonly AuditRecord[]>) => AsyncGenerator<string>

/** Writes one JSON document a line. */
export const jsonLines: Lines = async function* (batches) {
  for await (const records of batches) {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    // An empty chunk would end a read of the stream without any data.
    if (text !== '') yield text
  }
}

/** Writes a table in CSV (RFC 4180). */
export const csvLines: Lines = async function* (batches) {
  yield `${COLUMNS.join(',')}\r\n`
  for await (const records of batches) {
    const text = records.map((record) => `${csvLine(record)}\r\n`).join('')
    if (text !== '') yield text
  }
}

function csvLine({ user, details, ...record }: AuditRecord): string {
  const fields: Readonly<Record<(typeof COLUMNS)[number], string | null>> = {
    ...record,
    user_email: user?.email ?? null,
    user_name: user?.name ?? null,
    details: details === null ? null : JSON.stringify(details),
  }
  return COLUMNS.map((column) => csvCell(fields[column])).join(',')
}

import { type RawBuilder, sql } from 'kysely'
import type { DialectName } from './portable.ts'

/** Column types that have another name in each database. */
interface ColumnTypes {
  /** Text that is compared byte by byte in both databases, so that a keyset walk orders alike. */
  readonly key: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
}

export function columnTypes(dialect: DialectName): ColumnTypes {
  return dialect === 'postgres'
    ? { key: sql`text collate "C"`, bytes: sql`bytea` }
    : { key: sql`text`, bytes: sql`blob` }
}

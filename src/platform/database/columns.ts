import { type RawBuilder, sql } from 'kysely'
import type { DialectName } from './portable.ts'

/** Column types that have another name in each database. */
interface ColumnTypes {
  /** Text that both databases compare byte by byte, so that keyset pages have the same order in both. */
  readonly key: RawBuilder<unknown>
  readonly bytes: RawBuilder<unknown>
}

export function columnTypes(dialect: DialectName): ColumnTypes {
  return dialect === 'postgres'
    ? { key: sql`text collate "C"`, bytes: sql`bytea` }
    : { key: sql`text`, bytes: sql`blob` }
}

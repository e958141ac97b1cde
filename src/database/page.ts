import { type RawBuilder, sql } from 'kysely'

/** Bytes of stored text after which a page of a list ends, whatever its limit. */
export const PAGE_BYTES_MAX = 8 * 1_024 * 1_024

/** What a list knows of a row before it reads it. */
interface RowSize {
  /** Of its text as it is stored, in UTF-8. */
  readonly bytes: number
}

/**
 * The bytes of some text columns together. Both databases know a text's bytes without reading it, which they do
 * not of its characters.
 */
export function textBytes(columns: readonly string[]): RawBuilder<number> {
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  return sql<number>`(${sql.join(sizes, sql` + `)})`
}

/** The rows that make a page: at most `limit`, at least one, and no more text than `bytesMax`. */
export function pageOf<T extends RowSize>(rows: readonly T[], limit: number, bytesMax = PAGE_BYTES_MAX): T[] {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += row.bytes
    return i === limit || (i > 0 && bytes > bytesMax)
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}

import { type RawBuilder, sql } from 'kysely'
import { threadSlices } from '../slices.ts'

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

/** The rows that make a page: at most `limit`, at least one, and no more text than `PAGE_BYTES_MAX`. */
export function pageOf<T extends RowSize>(rows: readonly T[], limit: number): T[] {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += row.bytes
    return i === limit || (i > 0 && bytes > PAGE_BYTES_MAX)
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}

/** Text that one statement reads: about a millisecond of the thread that answers HTTP. */
const PIECE_BYTES_MAX = 512 * 1_024
const PIECE_ROWS_MAX = 250

/**
 * Reads the rows of a page a piece at a time, by their ids, and lets other owners have their turns in between.
 * @param owner the tenant that the page is for
 */
export async function readPieces(
  owner: string,
  page: readonly (RowSize & { readonly id: string })[],
  read: (ids: readonly string[]) => Promise<unknown>,
): Promise<void> {
  let piece: string[] = []
  let bytes = 0
  for (const row of page) {
    if (piece.length === PIECE_ROWS_MAX || (piece.length > 0 && bytes + row.bytes > PIECE_BYTES_MAX)) {
      await read(piece)
      await threadSlices.pause(owner)
      piece = []
      bytes = 0
    }
    piece.push(row.id)
    bytes += row.bytes
  }
  if (piece.length > 0) await read(piece)
}

import { type RawBuilder, sql } from 'kysely'
import { threadSlices } from '../threads/slices.ts'

/**
 * Bytes after which a page of a list ends, whatever its limit. Counts stored text when rows are read, and JSON when
 * they are written.
 */
export const PAGE_BYTES_MAX = 8 * 1_024 * 1_024

/** Size of a row, known before the row is read. */
interface RowSize {
  /** Stored text in UTF-8. */
  readonly bytes: number
}

/**
 * Returns the total bytes of some text columns, as SQL. Both databases know the number of bytes without reading the
 * text; counting characters would read it.
 */
export function textBytes(columns: readonly string[]): RawBuilder<number> {
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  return sql<number>`(${sql.join(sizes, sql` + `)})`
}

/** Returns the rows of one page: at most `limit`, at least one, and at most `bytesMax` bytes of text. */
export function pageOf<T extends RowSize>(rows: readonly T[], limit: number, bytesMax = PAGE_BYTES_MAX): T[] {
  let bytes = 0
  const end = rows.findIndex((row, i) => {
    bytes += row.bytes
    return i === limit || (i > 0 && bytes > bytesMax)
  })
  return rows.slice(0, end < 0 ? rows.length : end)
}

/** Counts the items that fit on a page by their bytes; at least one. */
export function countWithin<T>(items: readonly T[], bytesOf: (item: T) => number): number {
  let bytes = 0
  const end = items.findIndex((item, i) => {
    bytes += bytesOf(item)
    return i > 0 && bytes > PAGE_BYTES_MAX
  })
  return end < 0 ? items.length : end
}

/** A page of a list. `next` is the place of its last row; null on the last page. */
export interface Page<T, K> {
  readonly items: T[]
  readonly next: K | null
}

/** A page to read: at most `limit` rows after a place; null stands for the beginning of the list. */
export interface PageOf<K> {
  readonly limit: number
  readonly after: K | null
}

/**
 * Returns the condition that a row comes after some values, column by column. Both databases can use an index for it.
 */
export function comesAfter(columns: readonly string[], values: readonly (string | number)[]): RawBuilder<boolean> {
  const names = columns.map((column) => sql.ref(column))
  return sql<boolean>`(${sql.join(names)}) > (${sql.join(values)})`
}

/** Returns the condition that a row comes after another one, in the order of a key; any row does after null. */
export function comesAfterRow(
  key: readonly string[],
  after: Readonly<Record<string, unknown>> | null,
): RawBuilder<boolean> {
  if (after === null) return sql<boolean>`1 = 1`
  return comesAfter(
    key,
    key.map((column) => after[column] as string | number),
  )
}

/** Like `comesAfter`, in a list whose columns all descend. */
export function comesBefore(columns: readonly string[], values: readonly (string | number)[]): RawBuilder<boolean> {
  const names = columns.map((column) => sql.ref(column))
  return sql<boolean>`(${sql.join(names)}) < (${sql.join(values)})`
}

const FIRST_PIECE_ROWS = 50

/**
 * Reads a page of rows whose lengths are not known beforehand, in pieces. The length of the rows so far decides how
 * many rows the next piece reads. The page ends where `pageOf` would end it.
 * @param owner the tenant that the page is for
 * @param read reads at most `limit` rows after a place, in order
 */
export async function readPage<T extends object, K>(
  owner: string,
  { limit, after }: PageOf<K>,
  read: (after: K | null, limit: number) => Promise<T[]>,
  keyOf: (row: T) => K,
): Promise<Page<T, K>> {
  const items: T[] = []
  let [place, bytes, rows] = [after, 0, FIRST_PIECE_ROWS]
  for (;;) {
    const count = Math.min(rows, limit + 1 - items.length)
    const piece = await read(place, count)
    for (const row of piece) {
      const size = bytesOfRow(row)
      if (items.length === limit || (items.length > 0 && bytes + size > PAGE_BYTES_MAX)) return { items, next: place }
      items.push(row)
      bytes += size
      place = keyOf(row)
    }
    if (piece.length < count) return { items, next: null }
    rows = Math.max(1, Math.min(PIECE_ROWS_MAX, Math.floor((PIECE_BYTES_MAX * items.length) / bytes)))
    await threadSlices.pause(owner)
  }
}

/** Counts the bytes of a row's texts together in UTF-8; at least 1, so that it can be divided by. */
function bytesOfRow(row: object): number {
  const texts = Object.values(row).filter((value) => typeof value === 'string')
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 1)
}

/** Reads a whole list page by page. The caller needs memory for all of it. */
export async function everyItem<T, K>(read: (page: PageOf<K>) => Promise<Page<T, K>>): Promise<T[]> {
  const items: T[] = []
  let after: K | null = null
  do {
    const page: Page<T, K> = await read({ limit: 1_000, after })
    items.push(...page.items)
    after = page.next
  } while (after !== null)
  return items
}

/** Bytes of text that one statement reads, which takes about a millisecond of the thread that answers HTTP. */
const PIECE_BYTES_MAX = 512 * 1_024
const PIECE_ROWS_MAX = 250

/**
 * Reads the rows of a page by their ids, in pieces, and gives other owners their turns in between.
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

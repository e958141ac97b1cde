import { type RawBuilder, sql } from 'kysely'
import { threadSlices } from '../threads/slices.ts'

/**
 * Bytes after which a page of a list ends, whatever its limit: of stored text where rows are read, of JSON where they
 * are written.
 */
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

/** A control character of one byte is written as six. */
const ESCAPE_BYTES = 6
/** What else an item has as JSON, beside its stored texts: names of fields, ids, numbers, times. */
const FRAME_BYTES = 16 * 1_024

/**
 * How many of some items make a page by the JSON that they are written as; at least one. Only where the stored texts
 * are so long that it could be too much are the items written to be measured.
 * @param shown what is written of an item
 */
export function jsonCount<T>(
  items: readonly T[],
  storedBytes: number,
  shown: (item: T) => unknown = (item) => item,
): number {
  if (storedBytes * ESCAPE_BYTES + items.length * FRAME_BYTES <= PAGE_BYTES_MAX) return items.length
  return countWithin(items, (item) => Buffer.byteLength(JSON.stringify(shown(item))))
}

/** How many of some items make a page by their bytes; at least one. */
export function countWithin<T>(items: readonly T[], bytesOf: (item: T) => number): number {
  let bytes = 0
  const end = items.findIndex((item, i) => {
    bytes += bytesOf(item)
    return i > 0 && bytes > PAGE_BYTES_MAX
  })
  return end < 0 ? items.length : end
}

/** A page of a list, and the place of its last row in the list's order; null after the last page. */
export interface Page<T, K> {
  readonly items: T[]
  readonly next: K | null
}

/** Which page: at most `limit` rows, from after a place on; null is the beginning. */
export interface PageOf<K> {
  readonly limit: number
  readonly after: K | null
}

/**
 * Whether a row's columns, compared one after the other, come after these values. Both databases go along an index by
 * it.
 */
export function comesAfter(columns: readonly string[], values: readonly (string | number)[]): RawBuilder<boolean> {
  const names = columns.map((column) => sql.ref(column))
  return sql<boolean>`(${sql.join(names)}) > (${sql.join(values)})`
}

const FIRST_PIECE_ROWS = 50

/**
 * Reads a page of rows whose lengths nobody knows beforehand, a piece at a time: each holds as many rows as make a
 * piece by the length of those before. The page ends like any other.
 * @param owner the tenant that the page is for
 * @param read at most so many rows from after a place on, in order
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
    const wanted = Math.min(rows, limit + 1 - items.length)
    const piece = await read(place, wanted)
    for (const row of piece) {
      const size = bytesOfRow(row)
      if (items.length === limit || (items.length > 0 && bytes + size > PAGE_BYTES_MAX)) return { items, next: place }
      items.push(row)
      bytes += size
      place = keyOf(row)
    }
    if (piece.length < wanted) return { items, next: null }
    rows = Math.max(1, Math.min(PIECE_ROWS_MAX, Math.floor((PIECE_BYTES_MAX * items.length) / bytes)))
    await threadSlices.pause(owner)
  }
}

/** Of a row's texts together in UTF-8; at least one. */
function bytesOfRow(row: object): number {
  const texts = Object.values(row).filter((value) => typeof value === 'string')
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 1)
}

/** All of a list, page by page, for what has room for it. */
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

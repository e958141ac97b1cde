import { pageOf, type PageOf, readPieces } from './page.ts'
import { type ListPosition, type Range, rangesOf, type Walk } from './walk.ts'

/** A list, and how to walk it from its beginning. */
type WalkedList = Pick<Walk, 'owner' | 'dialect' | 'endOf'>

/** Size and place of a row, known before the row is read. */
interface RowHead {
  readonly id: string
  readonly created_at: number
  /** Stored text in UTF-8. */
  readonly bytes: number
}

interface Reading<Row extends { readonly id: string }> {
  /** Returns the first rows of a range that belong to the list, newest first. */
  readonly sizesIn: (range: Range, limit: number) => Promise<readonly RowHead[]>
  /** Reads rows by id, in any order; deleted ones are missing. */
  readonly rowsOf: (ids: readonly string[]) => Promise<readonly Row[]>
}

/** A page of a list. `next` is where the next page begins; null on the last page. */
export interface WalkedPage<Row> {
  readonly rows: Row[]
  readonly next: ListPosition | null
}

/**
 * Reads a page of a list that is newest first, beginning after `after`. The page ends at its limit or at its bytes.
 * Sizes are read first, so that no row is read in vain. No statement looks at more than a few thousand rows, however
 * many the list leaves out.
 */
export async function readWalkedPage<Row extends { readonly id: string }>(
  list: WalkedList,
  { limit, after }: PageOf<ListPosition>,
  { sizesIn, rowsOf }: Reading<Row>,
): Promise<WalkedPage<Row>> {
  const listed: RowHead[] = []
  for await (const range of rangesOf({ ...list, after, first: limit + 1 })) {
    listed.push(...(await sizesIn(range, limit + 1 - listed.length)))
    if (listed.length > limit) break
  }
  const page = pageOf(listed, limit)
  const byId = new Map<string, Row>()
  await readPieces(list.owner, page, async (ids) => {
    for (const row of await rowsOf(ids)) byId.set(row.id, row)
  })
  const last = page.at(-1)
  return {
    rows: page.flatMap(({ id }) => byId.get(id) ?? []),
    next: listed.length > page.length && last !== undefined ? { createdAt: last.created_at, id: last.id } : null,
  }
}

/** Counts the rows of a list, range by range. */
export async function countWalked(list: WalkedList, countIn: (range: Range) => Promise<number>): Promise<number> {
  let total = 0
  for await (const range of rangesOf({ ...list, after: null })) total += await countIn(range)
  return total
}

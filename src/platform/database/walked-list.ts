import { pageOf, type PageOf, readPieces } from './page.ts'
import { type ListPosition, type Range, rangesOf, type Walk } from './walk.ts'

/** A list as it is walked from its beginning. */
type WalkedList = Pick<Walk, 'owner' | 'dialect' | 'endOf'>

/** What a list knows of a row before it reads it. */
interface Listed {
  readonly id: string
  readonly created_at: number
  /** Of its text as it is stored, in UTF-8. */
  readonly bytes: number
}

interface Reading<Row extends { readonly id: string }> {
  /** The first rows of a range that the list shows, newest first. */
  readonly sizesIn: (range: Range, limit: number) => Promise<readonly Listed[]>
  /** Those of the rows that are still there, in any order. */
  readonly rowsOf: (ids: readonly string[]) => Promise<readonly Row[]>
}

/** A page of a list, and where the next one begins; null after the last one. */
export interface WalkedPage<Row> {
  readonly rows: Row[]
  readonly next: ListPosition | null
}

/**
 * A page of a list that is newest first, from after `after` on. It ends by its limit or by its bytes; lengths are looked
 * at first, so that what does not fit is not read. No statement looks at more than a few thousand rows, however many
 * are left out.
 */
export async function readWalkedPage<Row extends { readonly id: string }>(
  list: WalkedList,
  { limit, after }: PageOf<ListPosition>,
  { sizesIn, rowsOf }: Reading<Row>,
): Promise<WalkedPage<Row>> {
  const listed: Listed[] = []
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

/** How many rows a list shows, counted a range at a time. */
export async function countWalked(list: WalkedList, countIn: (range: Range) => Promise<number>): Promise<number> {
  let total = 0
  for await (const range of rangesOf({ ...list, after: null })) total += await countIn(range)
  return total
}

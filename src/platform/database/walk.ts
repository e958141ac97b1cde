import { type RawBuilder, sql } from 'kysely'
import { threadSlices } from '../threads/slices.ts'

/** Place of a row in a list that is newest first. */
export interface ListPosition {
  readonly createdAt: number
  readonly id: string
}

/**
 * Part of a list that is newest first: the rows after `after`, up to and including `end`. Null stands for the beginning
 * or the end of the list.
 */
export interface Range {
  readonly after: ListPosition | null
  readonly end: ListPosition | null
}

/**
 * Rows that one statement of a walk looks at. On SQLite that takes about a millisecond of the thread that answers HTTP.
 */
const STEP = { sqlite: 2_000, postgres: 5_000 } as const

export interface Walk {
  /** The tenant that the walk is for. Other owners get their turns between steps. */
  readonly owner: string
  readonly dialect: keyof typeof STEP
  readonly after: ListPosition | null
  /** Rows of the first step, which is enough for most lists. Later steps have the full length. */
  readonly first?: number
  /** Returns the place of the row that comes `rows` rows after another; null when the list ends before. */
  readonly endOf: (after: ListPosition | null, rows: number) => Promise<ListPosition | null>
}

/**
 * Walks a list in ranges short enough for one statement, however many rows the statement leaves out. The end of a range
 * is fixed before the range is read, so concurrent writes cannot make the walk skip rows.
 */
export async function* rangesOf({ owner, dialect, after, first, endOf }: Walk): AsyncGenerator<Range> {
  const step = STEP[dialect]
  let from = after
  let rows = Math.min(first ?? step, step)
  for (;;) {
    const end = await endOf(from, rows)
    yield { after: from, end }
    if (end === null) return
    from = end
    rows = step
    await threadSlices.pause(owner)
  }
}

/** Returns the condition that a row is in the range. */
export function inRange(createdAt: string, id: string, { after, end }: Range): RawBuilder<boolean> {
  // Both databases use an index to compare rows of values, but not to compare single columns.
  const key = sql`(${sql.ref(createdAt)}, ${sql.ref(id)})`
  const below = after === null ? sql`1 = 1` : sql`${key} < (${after.createdAt}, ${after.id})`
  return end === null ? sql<boolean>`(${below})` : sql<boolean>`(${below} and ${key} >= (${end.createdAt}, ${end.id}))`
}

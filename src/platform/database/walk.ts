import { type RawBuilder, sql } from 'kysely'
import { threadSlices } from '../threads/slices.ts'

/** Place of a row in a list that is newest first. */
export interface ListPosition {
  readonly createdAt: number
  readonly id: string
}

/** A part of such a list: from after `after`, null its beginning, as far as `end` with that; null is its end. */
export interface Range {
  readonly after: ListPosition | null
  readonly end: ListPosition | null
}

/**
 * Rows that one statement of a walk looks at. On SQLite they take about a millisecond of the thread that answers HTTP.
 */
const STEP = { sqlite: 2_000, postgres: 5_000 } as const

export interface Walk {
  /** Whose work it is: between steps other owners get their turns. */
  readonly owner: string
  readonly dialect: keyof typeof STEP
  readonly after: ListPosition | null
  /** Rows of the first step, which most lists are content with; the others are as large as a step may be. */
  readonly first?: number
  /** The place of the row so many places after one; null where the list ends before. */
  readonly endOf: (after: ListPosition | null, rows: number) => Promise<ListPosition | null>
}

/**
 * Walks a list in ranges of so few rows that a statement over one of them is short, whatever it leaves out. Where a
 * range ends is settled before it is read, so that no row is missed when others come and go meanwhile.
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

/** Whether a row lies in the range. */
export function inRange(createdAt: string, id: string, { after, end }: Range): RawBuilder<boolean> {
  // Comparing rows, not columns one by one, is what both databases go along an index by.
  const key = sql`(${sql.ref(createdAt)}, ${sql.ref(id)})`
  const below = after === null ? sql`1 = 1` : sql`${key} < (${after.createdAt}, ${after.id})`
  return end === null ? sql<boolean>`(${below})` : sql<boolean>`(${below} and ${key} >= (${end.createdAt}, ${end.id}))`
}

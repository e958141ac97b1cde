import { sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { type Pause, pauseOf } from '../../platform/threads/slices.ts'

/** Categories that one statement looks at: on SQLite about a millisecond of the thread that answers HTTP. */
const STEP = 1_000
/** Parents that one statement is asked about. */
const PARENTS_MAX = 500

type Tree = Pick<Database, 'portable'> & { readonly queries: Queries }

/**
 * The category and everything below it; nothing where there is no such category. Small trees are one statement; a
 * larger one is walked level by level, in statements of bounded size.
 */
export async function subtreeIds({ queries, portable }: Tree, tenantId: string, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive subtree(id) as (
      select c.id from categories as c where c.tenant_id = ${tenantId} and c.id = ${id}
      union
      select c.id from subtree as s cross join categories as c where c.tenant_id = ${tenantId} and c.parent_id = s.id
    ) select id from subtree limit ${STEP + 1}`.execute(queries)
  if (rows.length <= STEP) return rows.map((row) => row.id)
  const ids = [id]
  for await (const level of levelsBelow({ queries, portable }, tenantId, id)) ids.push(...level)
  return ids
}

/**
 * The levels below a category, from its children on.
 * @param pause between statements; another one within a transaction
 */
export async function* levelsBelow(
  tree: Tree,
  tenantId: string,
  id: string,
  pause: Pause = pauseOf(tenantId),
): AsyncGenerator<string[]> {
  // Whoever moves categories about meanwhile may show us one a second time, even in a circle.
  const seen = new Set([id])
  for (let parents = [id]; ;) {
    const level: string[] = []
    for (let at = 0; at < parents.length; at += PARENTS_MAX) {
      const some = parents.slice(at, at + PARENTS_MAX).sort()
      for await (const children of childrenOf(tree, tenantId, some, pause)) {
        for (const child of children) {
          if (!seen.has(child)) level.push(child)
          seen.add(child)
        }
      }
    }
    if (level.length === 0) return
    yield level
    parents = level
  }
}

interface Child {
  readonly id: string
  readonly parent_id: string
}

/** @param parents in their order */
async function* childrenOf(
  tree: Tree,
  tenantId: string,
  parents: readonly string[],
  pause: Pause,
): AsyncGenerator<string[]> {
  let left = [...parents]
  while (left.length > 0) {
    const children = await piece(tree, tenantId, left, null)
    yield children.map((child) => child.id)
    await pause()
    if (children.length < STEP) return
    // The last one may have more than came; those after it have not been looked at.
    let last = children[children.length - 1]
    const { parent_id: parent } = last
    for (let more = children; more.length === STEP;) {
      more = await piece(tree, tenantId, [parent], last.id)
      yield more.map((child) => child.id)
      await pause()
      last = more.at(-1) ?? last
    }
    left = left.filter((each) => each > parent)
  }
}

async function piece(
  { queries, portable }: Tree,
  tenantId: string,
  parents: readonly string[],
  afterId: string | null,
): Promise<Child[]> {
  const rows = await queries
    .selectFrom('categories')
    .select(['id', 'parent_id'])
    .where('tenant_id', '=', tenantId)
    .where((eb) =>
      afterId === null
        ? // PostgreSQL before 17 would read the index of parents from its beginning up to the first of these.
          eb.and([portable.isOneOf(eb.ref('parent_id'), parents), eb('parent_id', '>=', parents[0])])
        : eb.and([eb('parent_id', '=', parents[0]), eb('id', '>', afterId)]),
    )
    .orderBy('parent_id')
    .orderBy('id')
    .limit(STEP)
    .execute()
  return rows as Child[]
}

/** From a category up: itself, its parent and so on to the top level, `limit` of them at most. */
export async function ancestorIds(db: Queries, tenantId: string, id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string; depth: number }>`
    with recursive line(id, parent_id, depth) as (
      select c.id, c.parent_id, 1 from categories as c where c.tenant_id = ${tenantId} and c.id = ${id}
      union all
      select c.id, c.parent_id, l.depth + 1 from line as l cross join categories as c
      where c.tenant_id = ${tenantId} and c.id = l.parent_id and l.depth < ${limit}
    ) select id, depth from line`.execute(db)
  return rows.toSorted((one, other) => one.depth - other.depth).map((row) => row.id)
}

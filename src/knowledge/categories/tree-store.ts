import { sql } from 'kysely'
import { inChunks } from '../../platform/database/chunks.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'
import { type Pause, pauseOf, threadSlices } from '../../platform/threads/slices.ts'

/** Categories that one statement reads: on SQLite about a millisecond of the thread that answers HTTP. */
const STEP = 1_000
/** Parents whose children one statement reads. */
const PARENTS_MAX = 500

type Tree = Pick<Database, 'portable'> & { readonly queries: Queries }

/**
 * Returns the ids of a category and of all below it; none when there is no such category. A small tree takes one
 * statement. A larger tree is walked level by level, in statements of bounded size.
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
  for await (const level of levelsBelow({ queries, portable }, tenantId, id)) for (const below of level) ids.push(below)
  return ids
}

/**
 * Yields the ids of each level below a category, beginning with its children.
 * @param pause called between statements; within a transaction, pass `threadSlices.pauseHolding`
 */
export async function* levelsBelow(
  tree: Tree,
  tenantId: string,
  id: string,
  pause: Pause = pauseOf(tenantId),
): AsyncGenerator<string[]> {
  // When another request moves categories during the walk, a category may come twice, even in a circle.
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

/** Yields the ids of the parents' children, a piece at a time. @param parents ids in ascending order */
async function* childrenOf(
  tree: Tree,
  tenantId: string,
  parents: readonly string[],
  pause: Pause,
): AsyncGenerator<string[]> {
  let left = [...parents]
  while (left.length > 0) {
    const children = await readChildren(tree, tenantId, left, null)
    yield children.map((child) => child.id)
    await pause()
    if (children.length < STEP) return
    // The last parent may have more children than this piece. The parents after it have not been read.
    let last = children[children.length - 1]
    const { parent_id: parent } = last
    for (let more = children; more.length === STEP;) {
      more = await readChildren(tree, tenantId, [parent], last.id)
      yield more.map((child) => child.id)
      await pause()
      last = more.at(-1) ?? last
    }
    left = left.filter((each) => each > parent)
  }
}

/**
 * Reads at most `STEP` children, by parent and id.
 * @param afterId null for all parents; otherwise only the first parent's children after this id
 */
async function readChildren(
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
        ? // Without `>=`, PostgreSQL before 17 reads the index from its beginning up to the first of these parents.
          eb.and([portable.isOneOf(eb.ref('parent_id'), parents), eb('parent_id', '>=', parents[0])])
        : eb.and([eb('parent_id', '=', parents[0]), eb('id', '>', afterId)]),
    )
    .orderBy('parent_id')
    .orderBy('id')
    .limit(STEP)
    .execute()
  // The condition above excludes null parents.
  return rows as Child[]
}

/** Returns the ids of a category, its parent and so on up to the top level, at most `limit`. */
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

/** Returns the ids of those categories that have children. */
export async function parentsAmong(db: Queries, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const parents = new Set<string>()
  await inChunks(ids, async (some) => {
    const rows = await db
      .selectFrom('categories as p')
      .select('p.id')
      .where('p.tenant_id', '=', tenantId)
      .where('p.id', 'in', some)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('categories as c')
            .select('c.id')
            .whereRef('c.tenant_id', '=', 'p.tenant_id')
            .whereRef('c.parent_id', '=', 'p.id'),
        ),
      )
      .execute()
    for (const { id } of rows) parents.add(id)
  })
  return parents
}

/** Most levels of a path that are read. Categories have at most 64 levels; those of earlier releases may have more. */
const PATH_LEVELS_MAX = 200

/** Returns the names on the way to each category, outermost first, by category id. Unknown ids are left out. */
export async function categoryPaths(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const paths = new Map<string, string[]>()
  await inChunks([...new Set(ids)], async (some) => {
    const { rows } = await sql<{ start: string; name: string; level: number }>`
      with recursive line(start, name, parent_id, level) as (
        select c.id, c.name, c.parent_id, 1 from categories as c
        where c.tenant_id = ${tenantId} and c.id in (${sql.join(some)})
        union all
        select l.start, c.name, c.parent_id, l.level + 1 from line as l cross join categories as c
        where c.tenant_id = ${tenantId} and c.id = l.parent_id and l.level < ${PATH_LEVELS_MAX}
      ) select start, name, level from line`.execute(db)
    for (const { start, name } of rows.toSorted((one, other) => other.level - one.level)) {
      const path = paths.get(start)
      if (path === undefined) paths.set(start, [name])
      else path.push(name)
    }
  })
  return paths
}

/** Category with its name and the id of its parent. */
export type NamedCategory = Pick<CategoryRow, 'id' | 'parent_id' | 'name'>

/** Returns the categories of the ids and all above them. Reads level by level, in statements of bounded size. */
export async function withAncestors(db: Queries, tenantId: string, ids: readonly string[]): Promise<NamedCategory[]> {
  const categories = new Map<string, NamedCategory>()
  for (let levelIds = [...new Set(ids)]; levelIds.length > 0;) {
    const level: NamedCategory[] = []
    await inChunks(levelIds, async (some) => {
      const rows = await db
        .selectFrom('categories')
        .select(['id', 'parent_id', 'name'])
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', some)
        .execute()
      level.push(...rows)
      await threadSlices.pause(tenantId)
    })
    for (const row of level) categories.set(row.id, row)
    const above = level.flatMap(({ parent_id: parent }) => (parent === null || categories.has(parent) ? [] : [parent]))
    levelIds = [...new Set(above)]
  }
  return [...categories.values()]
}

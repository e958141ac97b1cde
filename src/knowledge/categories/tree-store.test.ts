import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { onEachDatabase, type TestDatabase } from '../../../test/support/databases.ts'
import { assertPlans, watched } from '../../../test/support/plans.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { migrate } from '../../platform/database/migrate.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'
import { findByName, listCategories, listLevel } from './store.ts'
import { ancestorIds, categoryPaths, parentsAmong, subtreeIds } from './tree-store.ts'

const WIDE = 3_500
const DEEP = 1_500

const category = (id: string, parentId: string | null, order = 0): CategoryRow => ({
  tenant_id: 't',
  id,
  name: id,
  description: null,
  parent_id: parentId,
  sort_order: order,
  created_at: 0,
  updated_at: 0,
})
/** Tree with thousands of children, and with thousands of levels, as earlier releases allowed. */
const ROWS = [
  category('root', null),
  category('small', 'root'),
  category('leaf', 'small'),
  ...Array.from({ length: WIDE }, (_, i) =>
    category(`w${i}`, i < 1_200 ? 'root' : i < 2_400 ? 'w7' : `w${i % 900}`, i % 5),
  ),
  ...Array.from({ length: DEEP }, (_, i) => category(`d${i}`, i === 0 ? null : `d${i - 1}`)),
  category('other', null),
]

onEachDatabase('trees of categories', (kind) => {
  let place: TestDatabase
  let database: Database

  before(async () => {
    place = await kind.create()
    database = openDatabase(place.options)
    await migrate(database)
    await database.write(async (tx) => {
      const tenant = { tenant_id: 't', name: 'T', host: null, settings: '{}', embedding_model: null, watermark: 0 }
      await tx
        .insertInto('tenants')
        .values({ ...tenant, created_at: 0 })
        .execute()
      for (let at = 0; at < ROWS.length; at += 500)
        await tx
          .insertInto('categories')
          .values(ROWS.slice(at, at + 500))
          .execute()
    })
    if (kind.name === 'PostgreSQL') await sql`vacuum analyze`.execute(database.queries)
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  function expected(root: string): string[] {
    const ids = [root]
    const children = Map.groupBy(ROWS, (row) => row.parent_id)
    for (const id of ids) ids.push(...(children.get(id) ?? []).map((row) => row.id))
    return ids.sort()
  }

  test('a subtree is the category and everything below it, however wide or deep', async () => {
    for (const root of ['root', 'small', 'leaf', 'w7', 'd0', 'd700', 'other'])
      assert.deepEqual((await subtreeIds(database, 't', root)).sort(), expected(root), root)
    assert.deepEqual(await subtreeIds(database, 't', 'nobody'), [])
    assert.deepEqual(await subtreeIds(database, 'u', 'root'), [])
  })

  test('a small subtree takes one statement, and each statement for a large one reads a bounded part', async () => {
    const watch = watched(database)
    await subtreeIds(watch.database, 't', 'small')
    assert.equal(watch.statements.length, 1)
    await subtreeIds(watch.database, 't', 'root')
    assert.ok(watch.statements.length > WIDE / 1_000, `${watch.statements.length}`)
    for (const { text, parameters } of watch.statements) {
      assert.match(text, /limit (?:\+\?|\$\d+)$/)
      assert.ok((parameters.at(-1) as number) <= 1_001, text)
    }
  })

  test('walks down and up a tree use the indexes of parents and ids', async () => {
    const watch = watched(database)
    await subtreeIds(watch.database, 't', 'root')
    const [small, ...levels] = watch.statements.splice(0)
    await assertPlans(database, [small], {
      sqlite: /SEARCH c USING COVERING INDEX categories_(?:below|by_name|by_parent) \(tenant_id=\? AND parent_id=\?\)/,
      postgres: /using categories_(?:below|by_name|by_parent)\b[^]*?Index Cond: [^\n]*parent_id = s\.id/,
    })
    await assertPlans(database, levels, {
      sqlite: /SEARCH categories USING COVERING INDEX categories_by_parent \(tenant_id=\? AND parent_id=\?/,
      postgres: /categories_(?:below|by_name|by_parent)\b[^]*?Index Cond: [^\n]*parent_id >?= /,
    })
    assert.deepEqual(await ancestorIds(watch.database.queries, 't', 'd10', 4), ['d10', 'd9', 'd8', 'd7'])
    assert.deepEqual(await ancestorIds(database.queries, 't', 'leaf', 64), ['leaf', 'small', 'root'])
    await assertPlans(database, watch.statements, {
      sqlite: /RECURSIVE STEP\nSCAN l\nSEARCH c USING INDEX sqlite_autoindex_categories_1 \(tenant_id=\? AND id=\?\)/,
      postgres: /using categories_pk on categories c_1[^]*?Index Cond: [^\n]*id = l\.parent_id/,
    })
  })

  test('paths have all names from the top, and parents are told from leaves, for this tenant alone', async () => {
    const { queries } = database
    const paths = await categoryPaths(queries, 't', ['leaf', 'root', 'leaf', 'nobody', 'd3'])
    assert.deepEqual(
      paths,
      new Map([
        ['leaf', ['root', 'small', 'leaf']],
        ['root', ['root']],
        ['d3', ['d0', 'd1', 'd2', 'd3']],
      ]),
    )
    assert.equal((await categoryPaths(queries, 't', ['d1499'])).get('d1499')?.length, 200, 'as many as are read')
    assert.deepEqual(await categoryPaths(queries, 'u', ['leaf']), new Map())
    const ids = ROWS.map((row) => row.id)
    const withChildren = new Set(ROWS.flatMap((row) => row.parent_id ?? []))
    assert.deepEqual(await parentsAmong(queries, 't', ids), withChildren)
    assert.deepEqual(await parentsAmong(queries, 'u', ids), new Set())
  })

  test('a category is found by its name, and levels are read, along an index of their parent', async () => {
    const watch = watched(database)
    const { queries } = watch.database
    assert.equal(await findByName(queries, 't', 'root', 'small'), 'small')
    assert.equal(await findByName(queries, 't', null, 'other'), 'other')
    assert.equal(await findByName(queries, 't', null, 'small'), null)
    assert.equal((await listLevel(queries, 't', null, { after: null, limit: 10 })).length, 3)
    await assertPlans(database, watch.statements, {
      sqlite:
        /SEARCH categories USING (?:COVERING )?INDEX categories_(?:below|by_name) \(tenant_id=\? AND parent_id=\?/,
      postgres: /using categories_(?:below|by_name|by_parent)\b[^]*?Index Cond: [^\n]*parent_id/,
    })
  })

  test('pages of categories use the index of their order', async () => {
    const watch = watched(database)
    const page = { limit: 10, after: [2, 'w2', 'w2'] as const }
    await listCategories(watch.database.queries, 't', null, page)
    await listCategories(watch.database.queries, 't', 'root', page)
    const [all, below] = watch.statements
    const later = '\\(sort_order,name,id\\)>'
    await assertPlans(database, [all], {
      sqlite: new RegExp(`SEARCH categories USING INDEX categories_in_order \\(tenant_id=\\? AND ${later}[^\\n]*$`),
      postgres: /using categories_in_order\b[^]*?Index Cond: [^\n]*ROW\(sort_order, name, id\) >/,
    })
    await assertPlans(database, [below], {
      sqlite: new RegExp(
        `SEARCH categories USING INDEX categories_below \\(tenant_id=\\? AND parent_id=\\? AND ${later}[^\\n]*$`,
      ),
      postgres: /using categories_below\b[^]*?Index Cond: [^\n]*ROW\(sort_order, name, id\) >/,
    })
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cyclesOf, faultsOf, fileCyclesOf, waysToHttp } from './floors.ts'
import { importsOf, moduleOf, readModules } from './read-modules.ts'

const modules = readModules()

test('imports go down the floors, and every domain keeps its store to itself', () => {
  assert.ok(modules.length > 300, `${modules.length} modules are too few`)
  assert.deepEqual(faultsOf(modules), [])
})

test('no two domains depend on each other', () => {
  assert.deepEqual(cyclesOf(modules), [])
})

test('no two files of the in-process engine need each other, not even for types', () => {
  const engine = modules.filter(({ path }) => path.startsWith('src/search/memory/'))
  assert.ok(engine.length > 50, `${engine.length} modules are too few`)
  assert.deepEqual(fileCyclesOf(engine), [])
})

test('rules know no HTTP, neither themselves nor through what they import', () => {
  assert.deepEqual(waysToHttp(modules), [])
})

test('an import that goes up, a foreign store, test code, Kysely in rules, a store and the database in routes are found', () => {
  const path = 'src/knowledge/projects/rules.ts'
  const routes = 'src/knowledge/projects/routes.ts'
  const planted = [
    { path, imports: [{ from: '../../shop/products/rules.ts', isType: true }] },
    { path, imports: [{ from: '../entries/lists/tag-store.ts', isType: false }] },
    { path, imports: [{ from: '../../../test/support/service.ts', isType: false }] },
    { path, imports: [{ from: 'kysely', isType: false }] },
    { path: routes, imports: [{ from: './store.ts', isType: false }] },
    { path: routes, imports: [{ from: '../../platform/database/database.ts', isType: true }] },
    {
      path,
      imports: [
        { from: '../../platform/faults.ts', isType: false },
        { from: './store.ts', isType: false },
      ],
    },
  ]
  assert.deepEqual(
    planted.map((each) => faultsOf([{ ...each, passesOn: [], hasSql: false }]).length),
    [1, 1, 1, 1, 1, 1, 0],
  )
})

test('an import that goes up among the rooms of search, and a file without a room or a floor, are found', () => {
  const engine = 'src/search/memory/columns/arena.ts'
  const planted = [
    { path: engine, imports: [{ from: '../query/search.ts', isType: true }] },
    { path: 'src/search/ranking/bm25.ts', imports: [{ from: '../memory/columns/arena.ts', isType: false }] },
    { path: 'src/search/engine.ts', imports: [{ from: './hits/relevance-request.ts', isType: true }] },
    { path: 'src/search/attic/arena.ts', imports: [{ from: 'node:fs', isType: false }] },
    { path: 'src/attic/arena.ts', imports: [] },
    { path: engine, imports: [{ from: '../../engine.ts', isType: true }] },
  ]
  assert.deepEqual(
    planted.map((each) => faultsOf([{ ...each, passesOn: [], hasSql: false }]).length),
    [1, 1, 1, 1, 1, 0],
  )
})

test('a store that a module passes on is found however it is written', () => {
  const exports = [
    "export { findTag } from './tag-store.ts'",
    "export { type Tag } from './tag-store.ts'",
    "export type { Tag } from './tag-store.ts'",
    "export * from './store.ts'",
    "export * as store from './store.ts'",
    "import { findTag } from './tag-store.ts'\nexport { findTag as tagOf }",
    "import { findTag } from './tag-store.ts'\nexport const tagOf = findTag",
    "import * as store from './store.ts'\nexport { store }",
    "import * as store from './store.ts'\nexport const tagOf = store.findTag",
    "import * as store from './store.ts'\nexport type Tag = store.Tag",
    "import type { Tag } from './tag-store.ts'\nexport type Label = Tag",
    "import store from './store.ts'\nexport default store",
  ]
  const rules = 'src/knowledge/entries/lists/tag-rules.ts'
  for (const text of exports) {
    assert.equal(faultsOf([moduleOf(rules, text)]).length, 1, text)
    assert.deepEqual(faultsOf([moduleOf('src/knowledge/entries/lists/list-store.ts', text)]), [], text)
  }
  const asking = "import * as store from './store.ts'\nexport const tagOf = (id: string) => store.findTag(id)"
  assert.deepEqual(faultsOf([moduleOf(rules, asking)]), [])
})

test('SQL outside of stores is found however it is written', () => {
  const statements = [
    "await db.selectFrom('projects').selectAll().execute()",
    "const tx = queries.updateTable('projects')",
    'await sql`delete from projects`.execute(db)',
    'await sql<{ id: string }>`select id from projects`.execute(db)',
  ]
  const places = [
    'src/knowledge/projects/rules.ts',
    'src/knowledge/projects/routes.ts',
    'src/knowledge/projects/archive.ts',
    'src/composition/bootstrap.ts',
  ]
  for (const place of places) {
    for (const text of statements) assert.equal(faultsOf([moduleOf(place, text)]).length, 1, `${place}: ${text}`)
    assert.deepEqual(faultsOf([moduleOf(place, 'store.insertProject(tx, row)')]), [])
  }
  for (const store of ['src/knowledge/projects/member-store.ts', 'src/platform/database/damage-checks.ts'])
    assert.deepEqual(faultsOf([moduleOf(store, statements[0])]), [])
})

test('rules that know HTTP through a helper, or only its types, are found with the path of imports', () => {
  const rules = moduleOf('src/shop/products/bulk/bulk-rules.ts', "import { linesOf } from './lines.ts'")
  const lines = moduleOf(
    'src/shop/products/bulk/lines.ts',
    "import type { HttpApp } from '../../../platform/http/route.ts'",
  )
  const own = moduleOf('src/shop/products/rules.ts', "import type { FastifyReply } from 'fastify'")
  assert.deepEqual(waysToHttp([rules, lines, own]), [
    'src/shop/products/bulk/bulk-rules.ts → src/shop/products/bulk/lines.ts → src/platform/http/route.ts',
    'src/shop/products/rules.ts → fastify',
  ])
})

test('a cycle of domains is found, but not one of types only', () => {
  const from = (path: string, target: string, isType = false) => ({
    path,
    imports: [{ from: target, isType }],
    passesOn: [],
    hasSql: false,
  })
  const there = from('src/identity/users/rules.ts', '../sessions/rules.ts')
  assert.deepEqual(cyclesOf([there, from('src/identity/sessions/rules.ts', '../users/rules.ts')]), [
    'identity/users → identity/sessions → identity/users',
  ])
  assert.deepEqual(cyclesOf([there, from('src/identity/sessions/rules.ts', '../users/rules.ts', true)]), [])
})

test('imports are found however they are written', () => {
  const text = `import a, { type B } from './a.ts'
import type { C } from './c.ts'
import { type D, type E } from './d.ts'
export { f } from './f.ts'
import './g.ts'
const h = () => import('./h.ts')`
  assert.deepEqual(
    importsOf('x.ts', text).map(({ from, isType }) => `${from}${isType ? ' type' : ''}`),
    ['./a.ts', './c.ts type', './d.ts type', './g.ts', './f.ts', './h.ts'],
  )
})

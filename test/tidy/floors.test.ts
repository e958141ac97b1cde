import assert from 'node:assert/strict'
import { test } from 'node:test'
import { circlesOf, faultsOf } from './floors.ts'
import { importsOf, readModules } from './read-modules.ts'

const modules = readModules()

test('imports go down the floors, and every domain keeps its store to itself', () => {
  assert.ok(modules.length > 300, `${modules.length} modules are too few`)
  assert.deepEqual(faultsOf(modules), [])
})

test('no two domains need each other', () => {
  assert.deepEqual(circlesOf(modules), [])
})

test('an import that goes up, a foreign store, test code, HTTP and SQL in rules, and a store in routes are found', () => {
  const path = 'src/knowledge/projects/rules.ts'
  const planted = [
    { path, imports: [{ from: '../../shop/products/rules.ts', isType: true }] },
    { path, imports: [{ from: '../entries/lists/tag-store.ts', isType: false }] },
    { path, imports: [{ from: '../../../test/support/service.ts', isType: false }] },
    { path, imports: [{ from: '../../platform/http/route.ts', isType: true }] },
    { path, imports: [{ from: 'kysely', isType: false }] },
    { path: 'src/knowledge/projects/routes.ts', imports: [{ from: './store.ts', isType: false }] },
    {
      path,
      imports: [
        { from: '../../platform/faults.ts', isType: false },
        { from: './store.ts', isType: false },
      ],
    },
  ]
  assert.deepEqual(
    planted.map((each) => faultsOf([each]).length),
    [1, 1, 1, 1, 1, 1, 0],
  )
})

test('a circle of domains is found, over types none', () => {
  const from = (path: string, target: string, isType = false) => ({ path, imports: [{ from: target, isType }] })
  const there = from('src/identity/users/rules.ts', '../sessions/rules.ts')
  assert.deepEqual(circlesOf([there, from('src/identity/sessions/rules.ts', '../users/rules.ts')]), [
    'identity/users → identity/sessions → identity/users',
  ])
  assert.deepEqual(circlesOf([there, from('src/identity/sessions/rules.ts', '../users/rules.ts', true)]), [])
})

test('imports are read however they are written', () => {
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { consoleFaultsOf, pageCyclesOf } from './console-floors.ts'
import { fileCyclesOf } from './floors.ts'
import { readModules } from './read-modules.ts'

const modules = readModules('console/src/**/*.{ts,tsx}')

test('imports of the console go down its floors, and the rooms of what its pages share', () => {
  assert.ok(modules.length > 400, `${modules.length} modules are too few`)
  assert.deepEqual(consoleFaultsOf(modules), [])
})

test('no two pages of the console depend on each other', () => {
  assert.deepEqual(pageCyclesOf(modules), [])
})

test('no two files of the console depend on each other', () => {
  assert.deepEqual(fileCyclesOf(modules), [])
})

test('an import of the console that goes up, and a file without a room, are found', () => {
  const planted = [
    { path: 'console/src/api/people.ts', from: '../parts/fields/field.tsx', isType: true },
    { path: 'console/src/frame/frame.tsx', from: '../pages/sign-in/page.tsx', isType: false },
    { path: 'console/src/pages/bin/page.tsx', from: '../../router.tsx', isType: true },
    { path: 'console/src/parts/layout/page.tsx', from: '../feedback/notice.tsx', isType: false },
    { path: 'console/src/parts/attic.tsx', from: 'react', isType: false },
    { path: 'console/src/attic/page.tsx', from: 'react', isType: false },
    { path: 'console/src/pages/bin/page.tsx', from: '../../parts/layout/page.tsx', isType: false },
  ]
  assert.deepEqual(
    planted.map(({ path, ...each }) => consoleFaultsOf([{ path, imports: [each] }]).length),
    [1, 1, 1, 1, 1, 1, 0],
  )
})

const page = (path: string, from: string) => ({ path, imports: [{ from, isType: true }], hasSql: false, passesOn: [] })

test('pages that need each other, even for types alone, are found', () => {
  assert.deepEqual(
    pageCyclesOf([
      page('console/src/pages/bin/page.tsx', '../entries/filters.ts'),
      page('console/src/pages/entries/page.tsx', '../bin/queries.ts'),
      page('console/src/pages/entries/table.tsx', '../../parts/tables/table.tsx'),
    ]),
    ['console/src/pages/bin → console/src/pages/entries → console/src/pages/bin'],
  )
})

test('files of a page that need each other, even for types alone, are found', () => {
  assert.deepEqual(
    fileCyclesOf([
      page('console/src/pages/bin/page.tsx', './actions.tsx'),
      page('console/src/pages/bin/actions.tsx', './page.tsx'),
      page('console/src/pages/bin/route.ts', './page.tsx'),
    ]),
    ['console/src/pages/bin/page.tsx → console/src/pages/bin/actions.tsx → console/src/pages/bin/page.tsx'],
  )
})

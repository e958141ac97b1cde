import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sectionsFrom, sectionPath } from './section-pages.ts'

const section = (title: string | null, weight: number | null = null) => ({ title, weight })

test('a folder is called by its title, unless a neighbour has that name', () => {
  const said = new Map([
    ['setup', section('Setting up')],
    ['run', section('Setting up')],
    ['stop', section('run')],
    ['long', section('x'.repeat(201))],
    ['setup/deep', section('Setting up')],
  ])
  const paths = [['setup', 'deep'], ['run'], ['stop'], ['long'], ['plain']]
  const sections = sectionsFrom(paths, said)
  const names = paths.map((path) => sectionPath(path, sections).map(({ name }) => name))
  assert.deepEqual(names, [['Setting up', 'Setting up'], ['run'], ['stop'], ['long'], ['plain']])
  assert.deepEqual(sectionPath(['setup'], sections), [{ name: 'Setting up', folder: 'setup', order: null }])
})

test('folders with a weight come in its order, and their neighbours after them', () => {
  const said = new Map([
    ['a', section(null, 30)],
    ['b', section('Beginning', 10)],
    ['a/inner', section('Inner')],
  ])
  const sections = sectionsFrom([['a', 'inner'], ['b'], ['c']], said)
  const orders = [['a'], ['b'], ['c'], ['a', 'inner']].map((path) => sectionPath(path, sections).at(-1)?.order)
  assert.deepEqual(orders, [30, 10, 31, null])
})

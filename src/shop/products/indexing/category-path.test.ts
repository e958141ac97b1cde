import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalPath, pathsOf } from './category-path.ts'

test('a category is a path whatever shops write between its levels', () => {
  for (const category of ['Home > Light > Lamps', 'Home>Light>Lamps', 'Home | Light | Lamps', 'Home / Light / Lamps']) {
    assert.deepEqual(pathsOf(category), ['Home', 'Home > Light', 'Home > Light > Lamps'])
  }
  assert.deepEqual(pathsOf('Radio/TV'), ['Radio/TV'])
  assert.deepEqual(pathsOf(' > '), [])
  assert.equal(normalPath(' Home  >Light '), 'Home > Light')
})

test('levels that make a path too long are left out', () => {
  const google = ['Hardware', 'x'.repeat(60), 'y'.repeat(60)].join(' > ')
  assert.equal(pathsOf(google).at(-1), google)
  const long = 'x'.repeat(260)
  assert.deepEqual(pathsOf(`${long} > ${long} > a`), [long])
  assert.deepEqual(pathsOf('x'.repeat(501)), [])
  assert.equal(pathsOf(Array.from({ length: 50 }, () => 'a').join(' > ')).length, 20)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { filesOf, groupOf, TEST_GROUPS, testFiles, withTiers } from '../../scripts/testing/tiers.ts'

test('every test file runs in a tier, and every group of the table has files of its own', () => {
  const files = testFiles()
  const nameless = files.filter((file) => groupOf(file) === undefined)
  assert.deepEqual(nameless, [], 'name them in scripts/testing/tiers.ts')
  const owners = new Set(files.map(groupOf))
  const empty = TEST_GROUPS.filter((group) => !owners.has(group))
  assert.deepEqual(empty, [])
  assert.deepEqual(filesOf('all'), files)
})

test('a file that no group names is noticed', () => {
  assert.equal(groupOf('elsewhere/new.test.ts'), undefined)
})

test('the gate has what runs while somebody works', () => {
  const gate = new Set(filesOf('gate'))
  const missing = filesOf('quick').filter((file) => !gate.has(file))
  assert.deepEqual(missing, [])
})

test('the page on tests has the table of groups', () => {
  const page = readFileSync('docs/maintainers/tests.md', 'utf8')
  assert.match(page, /^\| files \| runs in /m)
  assert.equal(withTiers(page), page, 'run npm run docs')
})

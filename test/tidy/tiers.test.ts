import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import { FIRST, nameOf, SHARED } from '../../scripts/testing/test-runs.ts'
import { groupOf, TEST_GROUPS, testFiles, withTiers } from '../../scripts/testing/tiers.ts'

test('every test file runs in a tier, and every pattern of the table decides about a file', () => {
  const files = testFiles()
  const nameless = files.filter((file) => groupOf(file) === undefined)
  assert.deepEqual(nameless, [], 'name them in scripts/testing/tiers.ts')
  const idle = TEST_GROUPS.flatMap((group) => {
    const own = files.filter((file) => groupOf(file) === group)
    return group.files.filter((pattern) => !own.some((file) => matchesGlob(file, pattern)))
  })
  assert.deepEqual(idle, [], 'a file that they named has moved, and may run in another tier')
})

test('no test file lies where the runner does not look', (t) => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z', '*.test.*'], { encoding: 'utf8' })
  if (status !== 0) return t.skip('this is no clone')
  const run = new Set(testFiles())
  const tracked = stdout.split('\0').filter((file) => /\.test\.[cm]?[jt]sx?$/.test(file))
  assert.deepEqual(
    tracked.filter((file) => !run.has(file)),
    [],
  )
})

test('the processes that are named to be shared or to start first are there', () => {
  const names = new Set(testFiles().map(nameOf))
  assert.deepEqual(
    [...SHARED, ...FIRST].filter((name) => !names.has(name)),
    [],
  )
})

test('the page on tests has the table of groups', () => {
  const page = readFileSync('docs/maintainers/tests.md', 'utf8')
  assert.match(page, /^\| files \| runs in /m)
  assert.equal(withTiers(page), page, 'run npm run docs')
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const FAILING = `
import { after, before, suite, test } from 'node:test'
suite('a', () => { before(() => { throw new Error('failed before') }); test('of a', () => {}) })
suite('b', () => { after(() => { throw new Error('failed after') }); test('of b', () => {}) })
test('c', () => { throw new Error('failed itself') })
`
const PASSING = `
import { test } from 'node:test'
test('d', { todo: true }, () => { throw new Error('expected to fail') })
test('e', { skip: 'a reason' }, () => {})
`
const reporter = (name: string): string => fileURLToPath(new URL(`../../scripts/testing/${name}.ts`, import.meta.url))

test('the reporters of the whole run tell of each process that ended, and of failures of tests and hooks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-reporters-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const modules = [
    ['000+test+one.mjs', FAILING],
    ['001+test+other.mjs', PASSING],
  ].map(([name, text]) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  })
  const outcomes = join(folder, 'outcomes')
  const options = [
    `--test-reporter=${reporter('progress')}`,
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter('outcomes')}`,
    `--test-reporter-destination=${outcomes}`,
  ]
  // Otherwise the runner takes itself for a file of this run.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const text = await new Promise<string>((resolve) => {
    const all = { env: { ...env, TEST_RUNS: '2' } }
    execFile(process.execPath, ['--test', ...options, ...modules], all, (_error, stdout) => resolve(stdout))
  })
  for (const message of ['failed before', 'failed after', 'failed itself'])
    assert.match(text, new RegExp(message), text)
  assert.doesNotMatch(text, /expected to fail/)
  assert.match(text, /of 2 {2}test\/one: FAILED in /)
  assert.match(text, /of 2 {2}test\/other: passed in /)
  assert.match(text, /^All: 1 passed, \d failed, 1 skipped/m)
  const lines = readFileSync(outcomes, 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    new Set(lines.map((line) => JSON.parse(line) as unknown)),
    new Set<unknown>([
      { kind: 'run', run: 'test/one', hasPassed: false },
      { kind: 'run', run: 'test/other', hasPassed: true },
      { kind: 'skipped', why: 'a reason' },
    ]),
  )
})

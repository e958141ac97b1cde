import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { waitingLoopsOf } from './waiting-loops.ts'

/** Folders of `until` itself, and of trials, which run until their caller stops them. */
const ELSEWHERE = /^test\/(?:support|trials)\//

test('tests wait with `until` or `found`, which end a wait in vain', () => {
  const paths = globSync(['test/**/*.ts', '{src,client,console/src,opentelemetry}/**/*.test.{ts,tsx}'])
  const files = paths.filter((path) => !ELSEWHERE.test(path) && !path.includes('node_modules/'))
  assert.ok(files.length > 300, `${files.length} files`)
  assert.deepEqual(
    files.flatMap((path) => waitingLoopsOf(path, readFileSync(path, 'utf8'))),
    [],
  )
})

test('a loop that waits is noticed in each of its forms, at its line', () => {
  for (const loop of [
    'while (!isDone()) await sleep(5)',
    'for (;;) { if (isDone()) break; await pause(5) }',
    'for (; !isDone(); await sleep(5));',
    'do { await new Promise((resolve) => setTimeout(resolve, 5)) } while (!isDone())',
  ]) {
    assert.deepEqual(waitingLoopsOf('x.test.ts', `\nasync function wait() { ${loop} }`), ['x.test.ts:2'], loop)
  }
})

test('a loop that counts, and one that only starts what pauses, are none', () => {
  for (const loop of [
    'for (let i = 0; i < 5; i++) await sleep(5)',
    'while (more()) start(async () => await sleep(5))',
  ]) {
    assert.deepEqual(waitingLoopsOf('x.test.ts', `async function wait() { ${loop} }`), [], loop)
  }
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const PAGE = readFileSync('docs/security/asvs.md', 'utf8')
const STATES = ['held', 'not held', 'not applicable']

/** Numbers of the requirements of levels 1 and 2 of ASVS 4.0.3, by section. */
const REQUIREMENTS: Readonly<Record<string, readonly number[]>> = {
  '1.1': [1, 2, 3, 4, 5, 6, 7],
  '1.2': [1, 2, 3, 4],
  '1.4': [1, 4, 5],
  '1.5': [1, 2, 3, 4],
  '1.6': [1, 2, 3, 4],
  '1.7': [1, 2],
  '1.8': [1, 2],
  '1.9': [1, 2],
  '1.10': [1],
  '1.11': [1, 2],
  '1.12': [2],
  '1.14': [1, 2, 3, 4, 5, 6],
  '2.1': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '2.2': [1, 2, 3],
  '2.3': [1, 2, 3],
  '2.4': [1, 2, 3, 4, 5],
  '2.5': [1, 2, 3, 4, 5, 6, 7],
  '2.6': [1, 2, 3],
  '2.7': [1, 2, 3, 4, 5, 6],
  '2.8': [1, 2, 3, 4, 5, 6, 7],
  '2.9': [1, 2, 3],
  '2.10': [1, 2, 3, 4],
  '3.1': [1],
  '3.2': [1, 2, 3, 4],
  '3.3': [1, 2, 3, 4],
  '3.4': [1, 2, 3, 4, 5],
  '3.5': [1, 2, 3],
  '3.7': [1],
  '4.1': [1, 2, 3, 5],
  '4.2': [1, 2],
  '4.3': [1, 2, 3],
  '5.1': [1, 2, 3, 4, 5],
  '5.2': [1, 2, 3, 4, 5, 6, 7, 8],
  '5.3': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  '5.4': [1, 2, 3],
  '5.5': [1, 2, 3, 4],
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6],
  '6.3': [1, 2],
  '6.4': [1, 2],
  '7.1': [1, 2, 3, 4],
  '7.2': [1, 2],
  '7.3': [1, 3, 4],
  '7.4': [1, 2, 3],
  '8.1': [1, 2, 3, 4],
  '8.2': [1, 2, 3],
  '8.3': [1, 2, 3, 4, 5, 6, 7, 8],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '10.2': [1, 2],
  '10.3': [1, 2, 3],
  '11.1': [1, 2, 3, 4, 5, 6, 7, 8],
  '12.1': [1, 2, 3],
  '12.2': [1],
  '12.3': [1, 2, 3, 4, 5, 6],
  '12.4': [1, 2],
  '12.5': [1, 2],
  '12.6': [1],
  '13.1': [1, 3, 4, 5],
  '13.2': [1, 2, 3, 5, 6],
  '13.3': [1, 2],
  '13.4': [1, 2],
  '14.1': [1, 2, 3, 4],
  '14.2': [1, 2, 3, 4, 5, 6],
  '14.3': [2, 3],
  '14.4': [1, 2, 3, 4, 5, 6, 7],
  '14.5': [1, 2, 3, 4],
}

const rows = [...PAGE.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, number, , state, shown]) => ({ number, state, shown }),
)

test('the page on ASVS has every requirement of level 2 once, in order', () => {
  const asked = Object.entries(REQUIREMENTS).flatMap(([section, numbers]) =>
    numbers.map((each) => `${section}.${each}`),
  )
  assert.equal(asked.length, 259)
  assert.deepEqual(
    rows.map(({ number }) => number),
    asked,
  )
})

test('each requirement that is held names tests that there are, and every other one says why', () => {
  for (const { number, state, shown } of rows) {
    assert.ok(STATES.includes(state), `${number}: ${state}`)
    const tests = [...shown.matchAll(/`((?:test|src)\/[^`]+\.test\.ts)`/g)].map(([, path]) => path)
    for (const path of tests) assert.ok(existsSync(path), `${number}: ${path}`)
    if (state === 'held') assert.ok(tests.length > 0, `${number} names no test`)
    else assert.ok(shown.trim().length > 0, number)
  }
})

test('the table of chapters counts what the tables below have', () => {
  const counts = [...PAGE.matchAll(/^\| \[V(\d+) [^\]]+\]\([^)]+\) \| (\d+) \| (\d+) \| (\d+) \|$/gm)]
  assert.equal(counts.length, 14)
  for (const [, chapter, ...told] of counts) {
    const own = rows.filter(({ number }) => number.startsWith(`${chapter}.`))
    assert.deepEqual(
      told.map(Number),
      STATES.map((state) => own.filter((row) => row.state === state).length),
      `V${chapter}`,
    )
  }
  const all = /^\| all (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/m.exec(PAGE)!.slice(1).map(Number)
  assert.deepEqual(all, [rows.length, ...STATES.map((state) => rows.filter((row) => row.state === state).length)])
})

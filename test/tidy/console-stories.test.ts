import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { groupOf } from '../../scripts/testing/tiers.ts'

interface File {
  readonly path: string
  readonly text: string
}

const filesOf = (pattern: string): File[] =>
  globSync(pattern).map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Returns the functions that declare stories of both parts (`tiered-stories.ts`). */
const partedIn = (files: readonly File[]): string[] =>
  files.flatMap(({ text }) =>
    [...text.matchAll(/^export function (\w+Stories)\([^{]*\bpart: Part\b/gm)].map(([, name]) => name),
  )

/** Returns every function that is not called once for each part, by a test file of the tier that runs the part. */
function faultsOf(stories: readonly File[], tests: readonly File[]): string[] {
  const calls = tests.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(\w+Stories)\(\w+, '(gate|rest)'/g)].map(([, name, part]) => ({
      name,
      runs: `${part} in ${groupOf(path)?.tier}`,
    })),
  )
  return partedIn(stories).flatMap((name) => {
    const runs = calls
      .filter((call) => call.name === name)
      .map((call) => call.runs)
      .toSorted()
      .join(', ')
    return runs === 'gate in gate, rest in all' ? [] : [`${name} runs ${runs === '' ? 'nowhere' : runs}`]
  })
}

test('the gate runs its part of all stories of the console, and the whole run the rest', () => {
  const stories = filesOf('test/console/*-stories.ts')
  assert.ok(partedIn(stories).length > 15, 'too few stories are found')
  assert.deepEqual(faultsOf(stories, filesOf('test/console/*.test.ts')), [])
})

test('stories of which a part runs nowhere, or in the wrong tier, are found', () => {
  const stories = [
    { path: 'test/console/new-stories.ts', text: 'export function newStories(stage: Stage, part: Part): void {' },
  ]
  const gate = { path: 'test/console/stories.test.ts', text: "newStories(stage, 'gate')" }
  const rest = { path: 'test/console/pages.test.ts', text: "newStories(stage, 'rest')" }
  assert.deepEqual(faultsOf(stories, [gate, rest]), [])
  assert.deepEqual(faultsOf(stories, [gate]), ['newStories runs gate in gate'])
  assert.deepEqual(
    faultsOf(stories, [
      { ...gate, text: rest.text },
      { ...rest, text: gate.text },
    ]),
    ['newStories runs gate in all, rest in gate'],
  )
  assert.deepEqual(faultsOf(stories, []), ['newStories runs nowhere'])
})

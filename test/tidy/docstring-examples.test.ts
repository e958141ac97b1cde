import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examplesOf } from '../../scripts/docstring-examples.ts'

const TEXT = `/**
 * Adds one.
 * @example
 * \`\`\`ts
 * import { log } from '../platform/log.ts'
 * const two = next(1)
 * log(two, nextOf)
 * \`\`\`
 */
export function next(n: number): number {
  return n + 1
}

export const nextOf = 1
export class Unused {}
`

test('an example of a docstring becomes a module that imports what it uses', () => {
  assert.deepEqual(examplesOf('src/search/next.ts', TEXT), [
    `import { next, nextOf } from '../src/search/next.ts'
import { log } from '../src/platform/log.ts'
export async function example() {
const two = next(1)
log(two, nextOf)
}
`,
  ])
})

test('a docstring without an example, and a block that is no docstring, give nothing', () => {
  assert.deepEqual(
    examplesOf('src/a.ts', '/** Adds one. */\nexport function next() {}\n// @example ```ts\n// x\n// ```'),
    [],
  )
})

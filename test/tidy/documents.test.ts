import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** A path of a module in backticks, as documents name them: from the project's root or from `src/`. */
const MODULE = /`((?:[\w-]+\/)+[\w-]+\.(?:ts|mjs))`(?!\]\()/g

test('documents name modules that are there', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(MODULE)].map(([, path]) => ({ page, path })),
  )
  assert.ok(named.length > 10, `${named.length} names are too few`)
  const missing = named.filter(({ path }) => !existsSync(path) && !existsSync(`src/${path}`))
  assert.deepEqual(missing, [])
})

test('the example of the doctor counts the migrations there are', () => {
  const [, count] = /schema is up to date \((\d+) migrations\)/.exec(
    readFileSync('docs/reference/command-line.md', 'utf8'),
  )!
  assert.equal(Number(count), globSync('src/platform/database/migrations/*.ts').length)
})

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/**
 * Licences that require nothing but their own text. A package with another licence needs it added to the list, with the
 * reason beside it.
 */
const PERMISSIVE: ReadonlySet<unknown> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  // type-fest, which a package of the runtime of models names: of its two licences, MIT.
  '(MIT OR CC0-1.0)',
  // nodemailer: MIT without even its own text to keep.
  'MIT-0',
])

interface Locked {
  readonly dev?: boolean
  readonly license?: string
}

type Lock = { readonly packages: Readonly<Record<string, Locked>> }

/** Returns the places of the packages that the program runs with; npm marks those that only development needs. */
function shippedOf(lock: Lock): string[] {
  return Object.keys(lock.packages).filter((path) => path !== '' && lock.packages[path].dev !== true)
}

/** Returns the shipped packages whose licence, in the lock or in the package itself, is not in the list. */
function refusedIn(lock: Lock): string[] {
  return shippedOf(lock).flatMap((path) => {
    const file = join(path, 'package.json')
    const { license } = lock.packages[path]
    // Packages for other platforms are not installed; the lock knows their licence.
    const own: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : license
    return [...new Set([license, own])]
      .filter((each) => !PERMISSIVE.has(each))
      .map((each) => `${path}: ${String(each)}`)
  })
}

test('all that the program runs with has a permissive licence', () => {
  const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  assert.ok(shippedOf(lock).length > 100, `${shippedOf(lock).length} packages are too few`)
  assert.deepEqual(refusedIn(lock), [])
})

test('so has all that operators install for OpenTelemetry, which npm finds by its contents', () => {
  const lock: Lock = JSON.parse(readFileSync('opentelemetry/package-lock.json', 'utf8'))
  const { '': _own, ...installed } = lock.packages
  assert.ok(Object.keys(installed).length > 40)
  const refused = Object.entries(installed).filter(([, { license }]) => !PERMISSIVE.has(license))
  assert.deepEqual(refused, [])
})

test('a package with another licence, or with none, is found; one for development is free to have it', () => {
  const packages = {
    '': { license: 'GPL-3.0-only' },
    'node_modules/none-of-these-is-installed/a': { license: 'GPL-3.0-only' },
    'node_modules/none-of-these-is-installed/b': {},
    'node_modules/none-of-these-is-installed/c': { license: 'MPL-2.0', dev: true },
    'node_modules/none-of-these-is-installed/d': { license: 'MIT' },
  }
  assert.deepEqual(refusedIn({ packages }), [
    'node_modules/none-of-these-is-installed/a: GPL-3.0-only',
    'node_modules/none-of-these-is-installed/b: undefined',
  ])
})

test('all that is bundled into the pages of the console has a permissive licence', () => {
  const headings = readFileSync('console/dist/licenses.md', 'utf8').matchAll(/^## (\S+) - \S+(?: \((.*)\))?$/gm)
  const bundled = [...headings].map(([, name, licence]) => ({ name, licence }))
  assert.ok(
    bundled.some(({ name }) => name === 'react'),
    'the console is made with React',
  )
  assert.deepEqual(
    bundled.filter(({ licence }) => !PERMISSIVE.has(licence)),
    [],
  )
})

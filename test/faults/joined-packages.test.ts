import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { JOINED, joinedFile, joinedFolder, joinPackages } from '../../scripts/joined-packages.mjs'
import { SURROUNDINGS } from '../support/program.ts'

const PROJECT = resolve(import.meta.dirname, '../..')

describe('packages joined into one file each', () => {
  let root: string
  const link = (name: string): string => join(root, 'node_modules', name)

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'knowledge-joined-'))
    const packages = ['kysely', 'typebox', 'uuid', 'zod', 'esbuild']
    for (const name of [...packages, '@modelcontextprotocol/server', '@modelcontextprotocol/core']) {
      mkdirSync(dirname(link(name)), { recursive: true })
      symlinkSync(join(PROJECT, 'node_modules', name), link(name))
    }
    // As two first starts at once do.
    await Promise.all([joinPackages(root), joinPackages(root)])
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  test('export what the packages export', async () => {
    for (const name of JOINED) {
      const joined = (await import(pathToFileURL(join(joinedFolder(root), joinedFile(name))).href)) as object
      const script = `import * as own from ${JSON.stringify(name)}; console.log(JSON.stringify(Object.keys(own).sort()))`
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
        cwd: PROJECT,
        env: { ...SURROUNDINGS, NODE_OPTIONS: '' },
      })
      assert.deepEqual(Object.keys(joined).sort(), JSON.parse(stdout), name)
    }
  })

  test('are what every process of the program imports', async () => {
    const script = 'console.log(import.meta.resolve("kysely"), import.meta.resolve("fastify"))'
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: PROJECT,
      env: SURROUNDINGS,
    })
    const [kysely, fastify] = stdout.trim().split(' ')
    assert.match(kysely, /\.cache\/packages-[0-9a-f]{16}\/kysely\.mjs$/)
    assert.match(fastify, /node_modules\/fastify\//)
  })

  test('leave nothing beside them, and are not taken for those of another version', async () => {
    const cache = dirname(joinedFolder(root))
    const [made, ...others] = readdirSync(cache)
    assert.deepEqual([join(cache, made), others], [joinedFolder(root), []])
    const manifest = readFileSync(join(link('uuid'), 'package.json'), 'utf8')
    rmSync(link('uuid'))
    cpSync(join(PROJECT, 'node_modules/uuid'), link('uuid'), { recursive: true })
    writeFileSync(join(link('uuid'), 'package.json'), manifest.replace(/"version": "/, '"version": "9'))
    assert.equal(existsSync(joinedFolder(root)), false)
    await joinPackages(root)
    assert.equal(readdirSync(cache).length, 2)
  })
})

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { isJoined, joinedFiles, joinedFolder, joinPackages } from '../../scripts/joined-packages.mjs'
import { SURROUNDINGS } from '../support/program.ts'

const PROJECT = resolve(import.meta.dirname, '../..')

describe('packages joined into one file each', () => {
  let root: string
  let files: Record<string, string>

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'knowledge-joined-'))
    for (const name of ['kysely', 'typebox', 'uuid', 'zod', 'esbuild', '@modelcontextprotocol/server']) {
      const link = join(root, 'node_modules', name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(PROJECT, 'node_modules', name), link)
    }
    assert.equal(isJoined(root), false)
    // As two first starts at once do.
    await Promise.all([joinPackages(root), joinPackages(root)])
    assert.equal(isJoined(root), true)
    files = joinedFiles(joinedFolder(root))
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  test('export what the packages export', async () => {
    assert.ok(Object.keys(files).length > 0)
    for (const [name, file] of Object.entries(files)) {
      const joined = (await import(pathToFileURL(join(joinedFolder(root), file)).href)) as object
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
    assert.match(kysely, /\.cache\/packages\/kysely\.mjs$/)
    assert.match(fastify, /node_modules\/fastify\//)
  })

  test('are joined again once another version is installed', async () => {
    assert.equal(isJoined(root), true)
    const index = join(joinedFolder(root), 'index.json')
    writeFileSync(index, readFileSync(index, 'utf8').replace('kysely ', 'kysely 0.'))
    assert.equal(isJoined(root), false)
    await joinPackages(root)
    assert.equal(isJoined(root), true)
  })
})

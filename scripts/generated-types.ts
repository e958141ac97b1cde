/**
 * Generates the types of the HTTP interface from the service's OpenAPI document, for the console and for the client.
 * The types are not committed, because the contracts are. Each script that reads them writes them first.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenApiDocument } from '../src/platform/reference/openapi.ts'
import { documentOf } from '../src/app.ts'
import { consoleRoot, installConsolePackages, runTool } from './committed-build.ts'
import { root } from './runtime.mjs'

const PACKAGES = join(consoleRoot, 'node_modules')
const GENERATOR = 'openapi-typescript/bin/cli.js'

/** The operations that the client calls. Types of others would make it larger. */
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

/** Writes the types that the console is compiled with, unless they are up to date. */
export function writeConsoleTypes(): void {
  writeTypes(join(consoleRoot, 'src/api/schema.d.ts'), documentOf(), [])
}

/** Writes the types that the client is compiled with, unless they are up to date. */
export function writeClientTypes(): void {
  writeTypes(join(root, 'client/src/schema.ts'), clientPartOf(documentOf()), ['--default-non-nullable', 'false'])
}

function writeTypes(file: string, document: object, options: readonly string[]): void {
  installConsolePackages()
  const json = JSON.stringify(document)
  const generator = readFileSync(join(PACKAGES, 'openapi-typescript/package.json'))
  const head = `// ${createHash('sha256').update(json).update(generator).update(options.join(' ')).digest('hex')}\n`
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return
  const work = mkdtempSync(join(tmpdir(), 'knowledge-types-'))
  try {
    const [source, output] = [join(work, 'openapi.json'), join(work, 'types.ts')]
    writeFileSync(source, json)
    runTool(GENERATOR, [source, '--output', output, ...options], PACKAGES, work)
    writeFileSync(file, `${head}${readFileSync(output, 'utf8')}`)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Returns the client's operations, with the schemas and headers that they name. */
function clientPartOf(document: OpenApiDocument): object {
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

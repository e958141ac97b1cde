import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { operationsByTag } from '../../src/platform/reference/operations.ts'
import { documentOf } from '../../src/app.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const GENERATOR = join(ROOT, 'console/node_modules/openapi-typescript/bin/cli.js')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')
const SKIP = existsSync(GENERATOR) ? false : 'the packages of the console are not installed (npm run console)'

/** Checks the types that openapi-typescript makes of the document without any options, as a developer would run it. */
describe('types generated from the OpenAPI document', { skip: SKIP }, () => {
  const document = documentOf()
  let folder: string

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'knowledge-types-'))
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document))
    const outcome = run(GENERATOR, ['openapi.json', '--output', 'schema.d.ts'])
    assert.equal(outcome.status, 0, outcome.stderr)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  function run(program: string, args: readonly string[]) {
    return spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: 'utf8' })
  }

  function assertCompiles(code: string): void {
    const imports = "import type { components, paths } from './schema.d.ts'\ntype Schemas = components['schemas']\n"
    writeFileSync(join(folder, 'use.ts'), `${imports}${code}`)
    const args = ['--noEmit', '--strict', '--target', 'esnext', '--module', 'nodenext', '--allowImportingTsExtensions']
    const { stdout, status } = run(COMPILER, [...args, 'use.ts'])
    assert.equal(status, 0, stdout)
  }

  test('the call of the README compiles as it is', () => {
    const [, path, body] = /^curl -s http:\/\/localhost:8080(\S+) \\\n.*\n {2}-d '(.*)'$/m.exec(
      readFileSync(join(ROOT, 'README.md'), 'utf8'),
    )!
    assertCompiles(`
      export const body: paths['${path}']['post']['requestBody']['content']['application/json'] = ${body}
    `)
  })

  test('the example of every request compiles', () => {
    const lines = [...operationsByTag(document).values()].flat().flatMap(({ method, path, operation }) =>
      Object.entries(operation.requestBody?.content ?? {}).map(([type, { example }], i) => {
        // Some requests may come without their body.
        const given = `NonNullable<paths['${path}']['${method.toLowerCase()}']['requestBody']>`
        const body = `${given}['content']['${type}']`
        const value = typeof example === 'string' ? example : JSON.stringify(example)
        return `export const ${operation.operationId}${i}: ${body} = ${value}`
      }),
    )
    assert.ok(lines.length > 25, `${lines.length} are too few`)
    assertCompiles(lines.join('\n'))
  })

  test('a field with a default may be left out, and metadata follows the type', () => {
    assertCompiles(`
      const plain = { title: 'x', content: 'x', category_id: 'x' }
      export const entry: Schemas['EntryCreate'] = plain
      export const note: Schemas['EntryCreate'] = { ...plain, metadata: { anything: 1 } }
      export const memory: Schemas['EntryCreate'] = { ...plain, type: 'memory', metadata: { subject: 'Ann' } }
      export const skill: Schemas['EntryCreate'] = { ...plain, type: 'skill', metadata: { steps: ['Look'] } }
      // @ts-expect-error a skill has steps
      export const idle: Schemas['EntryCreate'] = { ...plain, type: 'skill', metadata: {} }
      // @ts-expect-error and they are texts
      export const odd: Schemas['EntryBulkLine'] = { ...plain, type: 'skill', metadata: { steps: [1] } }
      export function firstStep(entry: Schemas['Entry']): string {
        if (entry.type === 'skill') return entry.metadata.steps[0]
        return entry.type === 'glossary' ? entry.metadata.term : entry.title
      }
      export const search: Schemas['ProductSearch'] = { query: 'drill' }
      export const site: Schemas['SiteCreate'] = { slug: 'shop', name: 'Shop' }
    `)
  })
})

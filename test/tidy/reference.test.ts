import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderMetadataPage, TYPES } from '../../scripts/reference-pages/metadata.ts'
import { allTools, type McpRules } from '../../src/channels/mcp/tools/all.ts'
import { ENTRY_TYPES } from '../../src/knowledge/entries/kinds.ts'
import { METADATA_SCHEMAS, normalizeMetadata } from '../../src/knowledge/entries/metadata/metadata.ts'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import { fieldsOf } from '../../src/platform/contract/schema-words.ts'

test('the metadata page matches the schemas', () => {
  assert.equal(readFileSync('docs/reference/metadata.md', 'utf8'), renderMetadataPage())
})

test('every field of typed metadata has a description', () => {
  const silent = ENTRY_TYPES.flatMap((type) => silentFields(METADATA_SCHEMAS[type] as Schema, type))
  assert.deepEqual(silent, [])
})

function silentFields(schema: Schema, path: string): string[] {
  return fieldsOf(schema).flatMap(({ name, schema: field }) => [
    ...(typeof field.description === 'string' ? [] : [`${path}.${name}`]),
    ...silentFields((field.items ?? {}) as Schema, `${path}.${name}`),
  ])
}

test('the service accepts every example of the metadata page', () => {
  for (const type of ENTRY_TYPES) {
    const { example } = TYPES[type]
    const stored = normalizeMetadata(type, example)
    for (const field of Object.keys(example)) assert.ok(field in stored, `${type}.${field}`)
  }
})

test('the page on tools lists every tool with its scope, in the order assistants see them', () => {
  const page = readFileSync('docs/reference/mcp-tools.md', 'utf8')
  const rows = [...page.matchAll(/^\| `(\w+)` \| `([\w:]+)` \|/gm)].map(([, name, scope]) => [name, scope])
  const tools = allTools({} as McpRules).map(({ name, scopes }) => [name, scopes.join(' ')])
  assert.deepEqual(rows, tools)
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isDateTime, isUuid, isWebAddress } from '../../src/platform/contract/formats.ts'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import type { OpenApiContent } from '../../src/platform/reference/openapi.ts'
import { operationsByTag } from '../../src/platform/reference/operations.ts'
import { documentOf } from '../../src/app.ts'
import { isApiKey } from '../../src/identity/api-keys/api-key.ts'
import { newSecret } from '../../src/platform/random-secret.ts'
import { VALUES } from '../../src/platform/reference/example-values.ts'

const document = documentOf()
const operations = [...operationsByTag(document).values()].flat()

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('uuid', isUuid)
ajv.addFormat('date-time', isDateTime)
ajv.addFormat('uri', isWebAddress)
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
// Once for all examples: what most schemas refer to takes long to compile.
ajv.addSchema({ $id: 'document', components: document.components })

/** Returns the faults of an example, by the contract that the document declares beside it. */
function faultsOf(schema: Schema, example: unknown): string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components')))
  const faults = validate(example) ? [] : ajv.errorsText(validate.errors).split(', ')
  return [...faults, ...unknownFields(schema, example)]
}

function unknownFields(schema: Schema, example: unknown): string[] {
  const { properties } = resolved(schema)
  if (properties === undefined || example === null || typeof example !== 'object') return []
  return Object.keys(example).filter((name) => !Object.hasOwn(properties as object, name))
}

function resolved(schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema
  return document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
}

function examplesIn(content: Readonly<Record<string, OpenApiContent>> | undefined) {
  return Object.entries(content ?? {}).flatMap(([type, { schema, example }]) => {
    if (example === undefined) return []
    if (type !== 'application/x-ndjson') return [{ schema, example }]
    return (example as string).split('\n').map((line) => ({ schema, example: JSON.parse(line) as unknown }))
  })
}

test('every operation has an example: what it is sent, and what it answers', () => {
  assert.ok(operations.length > 70, `${operations.length} are too few`)
  for (const { method, path, operation } of operations) {
    const name = `${method} ${path}`
    for (const parameter of operation.parameters ?? [])
      assert.equal('example' in parameter, parameter.required, `${name}: ${parameter.name}`)
    for (const content of Object.values(operation.requestBody?.content ?? {})) assert.ok('example' in content, name)
    const answered = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
    for (const content of answered.flatMap(([, answer]) => Object.values(answer.content ?? {})))
      assert.ok('example' in content, name)
  }
})

test('the contracts accept every example, and know all of its fields', () => {
  const faults = operations.flatMap(({ method, path, operation }) => {
    const parameters = (operation.parameters ?? []).filter((parameter) => 'example' in parameter)
    const contents = [operation.requestBody?.content, ...Object.values(operation.responses).map((each) => each.content)]
    const all = [...parameters.map(({ schema, example }) => ({ schema, example })), ...contents.flatMap(examplesIn)]
    return all.flatMap(({ schema, example }) => faultsOf(schema, example).map((fault) => `${method} ${path}: ${fault}`))
  })
  assert.deepEqual(faults, [])
})

test('no example of a request is made up of nothing but types', () => {
  for (const { operation } of operations) {
    const text = JSON.stringify([operation.requestBody?.content, operation.parameters]).replaceAll(
      /"schema":\{.*?\}/g,
      '',
    )
    assert.doesNotMatch(text, /"text"|"string"/, operation.operationId)
  }
})

test('the page of the API shows the request of every example', () => {
  const page = readFileSync('docs/api.md', 'utf8')
  const blocks = [...page.matchAll(/^```http\n([A-Z]+) (\S+)/gm)].map(([, method]) => method)
  assert.deepEqual(
    blocks,
    operations.map(({ method }) => method),
  )
  assert.match(page, /^```http\nGET \/api\/knowledge\/knowledge-entries\/[\da-f-]{36}\n```$/m)
})

test('a gateway’s headers suggest no value: a person who tries the API out is no gateway', () => {
  const headers = operations.flatMap(({ operation }) =>
    (operation.parameters ?? []).filter((each) => each.in === 'header'),
  )
  assert.ok(headers.some(({ name }) => name === 'X-Audit-Source'))
  for (const { name, schema } of headers) assert.ok(!('default' in schema) && !('examples' in schema), name)
})

test('keys and tokens of examples have the form of real ones', () => {
  assert.ok(VALUES.key.every((key) => isApiKey(key as string)))
  const secrets = ['access_token', 'client_secret', 'refresh_token', 'registration_access_token', 'token']
  const { length } = newSecret()
  for (const name of secrets) assert.match(String(VALUES[name][0]), new RegExp(`^[\\w-]{${length}}$`), name)
  assert.equal(new Set(secrets.map((name) => VALUES[name][0])).size, secrets.length)
  for (const link of VALUES.link) assert.equal(new URL(String(link)).hash, `#${String(VALUES.token[0])}`)
})

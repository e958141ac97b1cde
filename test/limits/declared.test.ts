import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Schema } from '../../src/platform/contract/check-faults.ts'
import { DATABASES } from '../support/databases.ts'
import type { Limits } from './kinds.ts'
import { NOWHERE, type Operation } from './operation.ts'
import { operations } from './operations.ts'
import { type Route, Stage } from './stage.ts'

const KEYWORDS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'enum',
  'format',
  'pattern',
] as const
/** Keywords that are limits too, but that no contract uses yet. */
const UNKNOWN_KEYWORDS = ['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'uniqueItems', 'minProperties']
const CONTEXT_HEADERS: Readonly<Record<string, Limits>> = {
  'X-Scopes': { '': {} },
  'X-Audit-Source': { '': { maxLength: 50 } },
  'X-Client-Id': { '': { maxLength: 200 } },
  'If-Match': { '': {} },
  'Accept-Language': { '': {} },
  'X-Min-Watermark': { '': {} },
  Prefer: { '': {} },
}

/** Limits by place, such as `body.tags[]`, and whether a field must be there and may be null. */
type Declared = Record<string, Record<string, unknown>>

let stage: Stage
before(async () => {
  stage = await Stage.start(DATABASES[0])
})
after(() => stage.stop())

test('every operation of the OpenAPI document has border cases', () => {
  assert.deepEqual([...stage.routes.keys()].sort(), Object.keys(operations(NOWHERE)).sort())
})

test('the OpenAPI document declares exactly the limits of the border cases', () => {
  for (const [operationId, operation] of Object.entries(operations(NOWHERE))) {
    assert.deepEqual(declaredBy(stage.routes.get(operationId)!), expectedOf(operation), operationId)
  }
})

function expectedOf({ path = {}, query = {}, needs = [], body = {}, required = [] }: Operation): Declared {
  const obliged = { path: Object.keys(path), query: needs, body: required }
  const declared: Declared = {}
  for (const [part, fields] of Object.entries({ path, query, body })) {
    for (const [name, { limits, accepts }] of Object.entries(fields)) {
      for (const [place, keywords] of Object.entries(limits)) declared[`${part}.${name}${place}`] = { ...keywords }
      declared[`${part}.${name}`].required = obliged[part as keyof typeof obliged].includes(name)
      declared[`${part}.${name}`].nullable = accepts.includes(null)
    }
  }
  return declared
}

function declaredBy({ operation }: Route): Declared {
  const declared: Declared = {}
  for (const { in: part, name, schema, required } of operation.parameters ?? []) {
    const context = part === 'header' ? CONTEXT_HEADERS[name] : undefined
    if (context === undefined) collect(declared, `${part}.${name}`, schema, required)
    else assert.deepEqual(limitsOf(schema), context[''], name)
  }
  for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
    // Of a body that may have one of several shapes, the first has the cases.
    const [shape = schema] = (schema.anyOf ?? []) as Schema[]
    const { properties = {}, required = [] } = resolve(shape) as { properties?: Schema; required?: string[] }
    for (const [name, field] of Object.entries(properties)) {
      // Only declared so that it can be refused; no client may send it.
      if (name === 'type' && Object.keys(field as object).every((key) => key === 'description')) continue
      collect(declared, `body.${name}`, field as Schema, required.includes(name))
    }
  }
  return declared
}

function collect(declared: Declared, place: string, schema: Schema, required: boolean): void {
  const branches = ((schema.anyOf as Schema[] | undefined) ?? [schema]).map(resolve)
  const nullable = branches.some(({ type }) => [type].flat().includes('null'))
  const fields = branches.filter(({ type }) => type !== 'null')
  // A decimal is a number or a text, each with its own limits.
  declared[place] = Object.assign({ required, nullable }, ...fields.map(limitsOf)) as Record<string, unknown>
  const [field] = fields
  if (field.items !== undefined) collectItems(declared, `${place}[]`, field.items as Schema)
}

function collectItems(declared: Declared, place: string, items: Schema): void {
  const item = resolve(items)
  // The fields of a whole search have their cases at the operation that takes one.
  if (items.$ref === '#/components/schemas/CombinedSearch') {
    declared[place] = {}
    return
  }
  declared[place] = limitsOf(item)
  // Whether a field of an item must be there, its cases say by refusing the item without it.
  for (const [name, field] of Object.entries(item.properties ?? {})) collectField(declared, `${place}.${name}`, field)
}

function collectField(declared: Declared, place: string, schema: Schema): void {
  const field = resolve(schema)
  declared[place] = limitsOf(field)
  if (field.items !== undefined) collectItems(declared, `${place}[]`, field.items as Schema)
}

function limitsOf(schema: Schema): Record<string, unknown> {
  const unknown = UNKNOWN_KEYWORDS.filter((keyword) => keyword in schema)
  assert.deepEqual(unknown, [], 'a kind of limit without border cases')
  const pairs = KEYWORDS.filter((keyword) => schema[keyword] !== undefined).map((keyword) => [keyword, schema[keyword]])
  const limits = Object.fromEntries(pairs) as Record<string, unknown>
  if (Array.isArray(limits.enum)) limits.enum = limits.enum.filter((word) => word !== null)
  return limits
}

function resolve(schema: Schema): Schema {
  if (typeof schema.$ref !== 'string') return schema
  return stage.document.components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]
}

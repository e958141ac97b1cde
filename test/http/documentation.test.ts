import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { renderApiMarkdown } from '../../src/platform/reference/api-markdown.ts'
import { addDocs } from '../../src/platform/reference/docs-routes.ts'
import { addHealth } from '../../src/platform/http/health.ts'
import type { HttpApp } from '../../src/platform/http/route.ts'
import {
  Contract,
  FreeForm,
  Int,
  ListOf,
  NoContent,
  Nullable,
  OneOf,
  Text,
  Type,
  Uuid,
  UuidParams,
} from '../../src/platform/contract/schema.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { start } from './support.ts'

const Part = Contract('Part', { name: Text({ description: 'Its <b>name</b> | label' }) })
const ThingCreate = Contract('ThingCreate', {
  title: Text({ maxLength: 500 }),
  kind: Type.Optional(OneOf(['a', 'b'], { default: 'a' })),
  parent_id: Type.Optional(Nullable(Uuid())),
  part: Type.Optional(Nullable(Part)),
  parts: Type.Optional(ListOf(Part, { maxItems: 5 })),
  metadata: Type.Optional(FreeForm()),
})
const Thing = Contract('Thing', { id: Uuid(), ...ThingCreate.properties })

function thingRoutes(app: HttpApp): void {
  app.route({
    method: 'POST',
    url: '/things',
    schema: {
      operationId: 'createThing',
      tags: ['Things'],
      summary: 'Create a thing',
      body: ThingCreate,
      response: { 201: Thing },
    },
    config: { scopes: ['knowledge:write'], errors: [409], answerHeaders: ['Location', 'ETag'] },
    handler: (request, reply) => {
      reply.code(201)
      return { ...request.body, id: 'x' }
    },
  })
  app.route({
    method: 'GET',
    url: '/things',
    schema: {
      operationId: 'listThings',
      tags: ['Things'],
      summary: 'List things',
      querystring: Type.Object({
        tag: Type.Optional(ListOf(Text())),
        limit: Type.Optional(Int({ minimum: 1, maximum: 9 })),
      }),
      response: { 200: ListOf(Thing) },
    },
    config: { scopes: ['knowledge:read'] },
    handler: () => [],
  })
  app.route({
    method: ['PUT', 'PATCH'],
    url: '/things/:thing_id',
    schema: {
      operationId: 'changeThing',
      tags: ['Things'],
      summary: 'Change a thing',
      params: UuidParams('thing_id'),
      body: ThingCreate,
      response: { 200: Thing },
    },
    config: { scopes: ['knowledge:write'], requestHeaders: ['If-Match'], answerHeaders: ['ETag', 'Location'] },
    handler: (request) => ({ ...request.body, id: request.params.thing_id }),
  })
  app.route({
    method: 'DELETE',
    url: '/things/:thing_id',
    schema: {
      operationId: 'deleteThing',
      tags: ['Things'],
      summary: 'Delete a thing',
      params: UuidParams('thing_id'),
      headers: Type.Object({ 'if-match': Type.Optional(Type.String()) }),
      response: { 204: NoContent },
    },
    config: { scopes: ['knowledge:delete'], errors: [404, 412] },
    handler: async (_request, reply) => {
      reply.code(204)
    },
  })
  app.route({
    method: 'POST',
    url: '/things/bulk',
    schema: { operationId: 'importThings', tags: ['Things'], summary: 'Import things' },
    config: { scopes: ['knowledge:write'], ndjson: true, ndjsonLine: ThingCreate, ndjsonAnswer: [Thing, Part] },
    handler: () => ({}),
  })
  addHealth(app, () => Promise.resolve([]), createMetrics().registry)
  addDocs(app)
}

const { app, send } = await start(thingRoutes)

interface Operation {
  operationId: string
  tags: string[]
  security: Record<string, string[]>[]
  responses: Record<
    string,
    { content?: Record<string, { schema: unknown; example?: unknown }>; headers?: Record<string, object> }
  >
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: unknown; example?: unknown }> }
}
type Document = {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, unknown> }
}

const fetched = async () => (await send('GET', '/openapi.json', { headers: { authorization: '' } })).json as Document

test('the document is valid OpenAPI 3.1', async () => {
  const document = await fetched()
  assert.equal(document.openapi, '3.1.0')
  const { valid, errors } = await new Validator().validate(structuredClone<object>(document) as Record<string, unknown>)
  assert.ok(valid, JSON.stringify(errors))
})

test('contracts become named components, and are referenced, also by each other', async () => {
  const { components, paths } = await fetched()
  assert.deepEqual(Object.keys(components.schemas), ['Error', 'Health', 'Part', 'Readiness', 'Thing', 'ThingCreate'])
  const { properties } = components.schemas.ThingCreate as { properties: Record<string, unknown> }
  const ref = { $ref: '#/components/schemas/Part' }
  assert.deepEqual(properties.part, { anyOf: [ref, { type: 'null' }] })
  assert.deepEqual(properties.parts, { type: 'array', items: ref, maxItems: 5 })
  assert.deepEqual(properties.parent_id, { type: ['string', 'null'], format: 'uuid' })
  const line = paths['/things/bulk'].post.requestBody?.content['application/x-ndjson'].schema
  assert.equal((line as { $ref: string }).$ref, '#/components/schemas/ThingCreate')
})

test('every route says its scope, its answers and its possible errors', async () => {
  const { paths } = await fetched()
  const { post, get } = paths['/things']
  assert.deepEqual(post.security, [{ bearer: ['knowledge:write'] }, { session: ['knowledge:write'] }])
  assert.deepEqual(Object.keys(post.responses), [
    '201',
    '401',
    '403',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
    '507',
  ])
  assert.deepEqual(Object.keys(get.responses), ['200', '401', '403', '422', '429', '500', '503'])
  assert.deepEqual(
    get.parameters?.map(({ name }) => name),
    ['tag', 'limit', 'X-Scopes'],
  )
  const remove = paths['/things/{thing_id}'].delete
  assert.equal(remove.responses['204'].content, undefined)
  assert.deepEqual(
    remove.parameters?.map((each) => each.name),
    ['thing_id', 'if-match', 'X-Scopes', 'X-Audit-Source', 'X-Client-Id'],
  )
  assert.equal(paths['/things/{thing_id}'].put.operationId, 'changeThing')
  assert.equal(paths['/things/{thing_id}'].patch.operationId, 'changeThingWithPatch')
  assert.deepEqual(paths['/healthz'].get.security, [])
  assert.equal(paths['/docs'], undefined)
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((operation) => operation.operationId),
  )
  assert.equal(new Set(ids).size, ids.length)
})

test('every route documents the headers that it reads and answers with', async () => {
  const { paths } = await fetched()
  const headersOf = ({ responses }: Operation, status: string) => Object.keys(responses[status].headers ?? {})
  const { post, get } = paths['/things']
  assert.deepEqual(post.responses['201'].headers, {
    Location: { $ref: '#/components/headers/Location' },
    ETag: { $ref: '#/components/headers/ETag' },
  })
  assert.deepEqual(headersOf(get, '200'), [])
  const { patch } = paths['/things/{thing_id}']
  assert.deepEqual(headersOf(patch, '200'), ['ETag'])
  assert.deepEqual(headersOf(patch, '429'), ['Retry-After'])
  assert.deepEqual(
    patch.parameters?.map((each) => each.name),
    ['thing_id', 'If-Match', 'X-Scopes', 'X-Audit-Source', 'X-Client-Id'],
  )
})

test('operations have examples that their contracts allow', async () => {
  const { paths } = await fetched()
  const { post } = paths['/things']
  const part = { name: 'Returns' }
  const lines = paths['/things/bulk'].post
  const { example } = post.requestBody!.content['application/json']
  assert.deepEqual(example, { title: 'Send a parcel back' })
  const answer = post.responses['201'].content!['application/json'] as { example?: Record<string, unknown> }
  assert.deepEqual([answer.example?.kind, answer.example?.part, answer.example?.parts], ['a', part, [part]])
  assert.equal(lines.requestBody!.content['application/x-ndjson'].example, JSON.stringify(example))
  const answered = String(lines.responses['200'].content!['application/x-ndjson'].example).split('\n')
  assert.deepEqual(
    answered.map((line) => JSON.parse(line) as unknown),
    [answer.example, part],
  )
})

test('a field of a body says its default in words, since generated types would demand the field', async () => {
  const { components } = await fetched()
  const { properties } = components.schemas.ThingCreate as { properties: Record<string, object> }
  assert.deepEqual(properties.kind, { type: 'string', enum: ['a', 'b'], description: 'Default: "a"' })
})

test('a bulk route documents the lines of its answer', async () => {
  const { responses } = (await fetched()).paths['/things/bulk'].post
  assert.deepEqual(responses['200'].content, {
    'application/x-ndjson': {
      schema: {
        description: 'One JSON document a line',
        anyOf: [{ $ref: '#/components/schemas/Thing' }, { $ref: '#/components/schemas/Part' }],
      },
      example: responses['200'].content?.['application/x-ndjson'].example,
    },
  })
  const page = renderApiMarkdown(app.documentation.document())
  assert.match(page, /^- 200: [^:]+; \[Thing\]\(#thing\) or \[Part\]\(#part\), as application\/x-ndjson$/m)
})

test('two contracts of one name are refused', async () => {
  const clash = await start((http) => {
    http.get('/a', { schema: { operationId: 'a', response: { 200: Contract('Same', { a: Text() }) } } }, () => ({
      a: 'a',
    }))
    http.get('/b', { schema: { operationId: 'b', response: { 200: Contract('Same', { b: Text() }) } } }, () => ({
      b: 'b',
    }))
  })
  assert.throws(() => clash.app.documentation.document(), /Two contracts are named Same/)
})

test('the document begins with the rules of every route, without links to files', async () => {
  const { info } = (await fetched()) as unknown as { info: { summary: string; description: string } }
  assert.match(info.summary, /knowledge entries/)
  for (const head of [
    'Credentials',
    'Bodies and queries',
    'Pages of lists',
    'Limits',
    'Headers of answers',
    'Errors',
  ]) {
    assert.ok(info.description.includes(`## ${head}\n`), head)
  }
  assert.doesNotMatch(info.description, /\]\(/)
})

test('the page in Markdown has the fields of each contract, and its links have targets', () => {
  const page = renderApiMarkdown(app.documentation.document())
  assert.equal(page, renderApiMarkdown(app.documentation.document()))
  assert.match(page, /### Create a thing\n\n`POST \/things` — scope: knowledge:write\n/)
  assert.match(page, /^- 201: \[Thing\]\(#thing\); `Location`, `ETag`\n- Errors: 409$/m)
  assert.match(page, /`If-Match\?` \(header\) string: [^|]*Weak tags/)
  assert.match(page, /\| 405 \| /)
  assert.match(page, /\| `title` \| string \| 1 to 500 characters \|/)
  assert.match(page, /^- `name` string: Its <b>name<\/b> \| label; at least 1 character$/m)
  const heads = new Set([...page.matchAll(/^#+ (.+)$/gm)].map((match) => match[1].toLowerCase()))
  for (const [, target] of page.matchAll(/\]\(#([\w-]+)\)/g)) assert.ok(heads.has(target), target)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../../platform/access/scopes.ts'
import type { Schema } from '../../platform/contract/check-faults.ts'
import { fieldsOf } from '../../platform/contract/schema-words.ts'
import { Contract, Decimal, Nullable, Text, Type, Uuid } from '../../platform/contract/schema.ts'
import { CommitUnknown } from '../../platform/database/commit-outcome.ts'
import { Fault, forbidden, invalid, notFound, referenceNotFound } from '../../platform/faults.ts'
import { bearerChallenge, MCP_SCOPES } from './challenge.ts'
import { faultText } from './fault-text.ts'
import { isOwnOrigin } from './origin.ts'
import { plainSchema } from './plain-schema.ts'
import { promptName } from './prompts.ts'
import { callTool, type Exchange } from './server.ts'
import { allTools, type McpRules } from './tools/all.ts'

const TOOLS = allTools({} as McpRules)

test('a challenge names the metadata of /mcp and every scope', () => {
  const origin = 'https://knowledge.test'
  assert.equal(
    bearerChallenge({ origin, scopes: ['a', 'b'] }),
    'Bearer resource_metadata="https://knowledge.test/.well-known/oauth-protected-resource/mcp", scope="a b"',
  )
  assert.match(bearerChallenge({ origin, error: 'invalid_token', scopes: [] }), /^Bearer error="invalid_token", /)
})

test('the scopes of the challenge are those the tools need, and a ceiling', () => {
  const needed = new Set(TOOLS.flatMap(({ scopes }) => scopes))
  assert.deepEqual(new Set(MCP_SCOPES.filter((scope) => !scope.startsWith('visibility:'))), needed)
  assert.ok(MCP_SCOPES.every((scope) => SCOPES.includes(scope)))
})

test('pages at the public address and at hosts known to be ours are allowed, all others are not', () => {
  const publicUrl = 'https://knowledge.test'
  const from = (origin: string | undefined, host = 'knowledge.test', isTenantHost = false) =>
    isOwnOrigin({ origin, host, publicUrl, isTenantHost })
  assert.ok(from(undefined))
  assert.ok(from('https://knowledge.test'))
  assert.ok(from('http://localhost:8080', 'localhost:8080'))
  assert.ok(from('http://[::1]:8080', '[::1]:8080'))
  assert.ok(from('https://shop.test', 'Shop.test', true))
  for (const origin of ['https://evil.test', 'http://knowledge.test', 'null', 'file://knowledge.test', 'x']) {
    assert.ok(!from(origin), origin)
  }
  assert.ok(!from('https://evil.test', 'evil.test'), "an attacker's name that points at this machine")
  assert.ok(!from('http://localhost:1', 'localhost:8080'), 'another program on this machine')
})

test('a plain schema has no $id and no x- keywords, and keeps fields named like keywords', () => {
  const Inner = Contract('Inner', { title: Text(), 'x-ray': Type.Optional(Uuid()) })
  const schema = plainSchema(Contract('Outer', { inner: Nullable(Inner), price: Decimal(), enum: Text() }))
  const text = JSON.stringify(schema)
  assert.doesNotMatch(text, /\$id|x-lowercase|x-decimal/)
  assert.match(text, /"x-ray":\{"format":"uuid","type":"string"\}|"x-ray":\{"type":"string","format":"uuid"\}/)
  assert.deepEqual(schema.required, ['inner', 'price', 'enum'])
  assert.match(text, /"price":\{"anyOf":\[\{"type":"number"/)
})

test('every tool has a description, gives each of its fields a type, and refuses other fields', () => {
  for (const tool of TOOLS) {
    assert.match(tool.name, /^[a-z_]{1,64}$/)
    assert.ok(tool.listed.title !== '' && tool.listed.description.length > 30, tool.name)
    assert.equal(tool.inputSchema.additionalProperties, false)
    assert.ok(tool.scopes.length > 0)
    assert.equal(
      tool.listed.annotations.readOnlyHint,
      tool.scopes.every((scope) => scope.endsWith(':read')),
    )
    const fields = tool.inputSchema.properties as Record<string, Record<string, unknown>>
    assert.deepEqual(Object.keys(fields), tool.fields)
    for (const [name, field] of Object.entries(fields)) {
      assert.ok('type' in field || 'anyOf' in field || name === 'type', `${tool.name}.${name}`)
    }
  }
})

test('the list of all tools takes less than 10 kB, and says of each field what it is', () => {
  const list = JSON.stringify(TOOLS.map(({ listed }) => listed))
  assert.ok(Buffer.byteLength(list) < 10_000, `${Buffer.byteLength(list)} bytes`)
  for (const { name, listed, fields } of TOOLS) {
    const { properties, required = [] } = listed.inputSchema as unknown as ObjectSchema
    assert.deepEqual(silentFields(listed.inputSchema, name), [])
    assert.ok(Object.keys(properties).every((field) => fields.includes(field)))
    assert.ok(
      required.every((field) => field in properties),
      `${name} lists what it demands`,
    )
    assert.ok(Object.values(properties).every(({ type }) => typeof type === 'string'))
  }
})

test('every field that a tool takes or answers is described', () => {
  for (const { name, inputSchema, outputSchema } of TOOLS) {
    assert.deepEqual([...silentFields(inputSchema, name), ...silentFields(outputSchema, name)], [])
  }
})

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly type: unknown }>>
  readonly required?: readonly string[]
}

function silentFields(schema: Schema, path: string): string[] {
  return fieldsOf(schema).flatMap(({ name, schema: field }) => [
    ...(typeof field.description === 'string' && field.description.length > 1 ? [] : [`${path}.${name}`]),
    ...silentFields((field.items ?? {}) as Schema, `${path}.${name}`),
  ])
}

test('no tool speaks of what assistants do not have: endpoints, methods and headers', () => {
  const words = TOOLS.map(({ listed, inputSchema, outputSchema }) =>
    JSON.stringify([listed, inputSchema, outputSchema]),
  )
  assert.doesNotMatch(words.join(), /[Ee]ndpoint|\b[Rr]oute|\b[Hh]eader|If-Match|\bX-[A-Z]|\bPOST\b|\bGET\b|\/api\//)
})

test('a refusal names each field, its fault and what to do', () => {
  const place = { tool: 'update_entry', fields: ['entry_id', 'title'] }
  const said = (fault: Fault) => faultText(fault, place)
  const both = new Fault('invalid', [
    { loc: ['body', 'title'], msg: 'Field required', type: 'missing' },
    { loc: ['body', 'titel'], msg: 'Extra inputs are not permitted', type: 'extra_forbidden' },
  ])
  assert.equal(
    said(both),
    'update_entry was refused:\n- title: Field required. Call again with this field.\n' +
      '- titel: Extra inputs are not permitted. The fields are: entry_id, title.',
  )
  const homeless = new Fault('invalid', [{ loc: ['body', 'category_id'], msg: 'Field required', type: 'missing' }])
  const level = invalid(['body', 'visibility'], 'value_error', 'Use the endpoint for personal entries to create one')
  assert.match(
    said(level),
    /\n- visibility: personal cannot be given here\. Use create_personal_note for a private note\.$/,
  )
  const call = { tool: 'search_knowledge', fields: ['query'] }
  const silent = new Fault('invalid', [{ loc: ['body', 'query'], msg: 'Field required', type: 'missing' }])
  assert.match(faultText(silent, call), /list_entries/)
  const far = invalid(['body', 'offset'], 'less_than_equal', 'Too far')
  assert.match(faultText(far, call), /Narrow the search, or use list_entries/)
  assert.match(said(homeless), /- category_id: Field required\. .*list_categories/)
  assert.match(said(notFound(['path', 'entry_id'], 'Entry')), /- entry_id: Entry not found\. .*search_knowledge/)
  assert.match(said(notFound(['path', 'product_id'], 'Product')), /search_products/)
  assert.match(said(referenceNotFound(['body', 'category_id'], 'Category')), /list_categories/)
  assert.match(said(forbidden(['body', 'visibility'], 'Too high', ['visibility:restricted'])), /visibility:restricted/)
  assert.match(said(forbidden(['header', 'authorization'], 'No user')), /^.*\n- No user\. Do not try again/)
  assert.match(
    said(invalid(['body', 'type'], 'immutable_field', 'Fixed')),
    /other type with create_entry, and delete this one with delete_entry/,
  )
  const late = { loc: ['header', 'if-match'], msg: 'Another version', type: 'precondition_failed' }
  assert.match(said(new Fault('precondition_failed', [late])), /- expected_version: Another version\. .*get_entry/)
  const down = { loc: [], msg: 'Storage cannot answer', type: 'unavailable' }
  assert.match(
    said(new Fault('unavailable', [down], { retryAfterSeconds: 3 })),
    /Nothing was changed\. Try again in 3 s/,
  )
  const unsure = said(new CommitUnknown(new Error('gone')).toFault(null))
  assert.match(unsure, /may be done: read before you try again\. Look whether it is done/)
  assert.doesNotMatch(unsure, /Nothing was changed/)
})

test('the name of a prompt is easy to type and contains the id', () => {
  const id = '01a1fd67-842b-7747-913b-36a9ed8e476b'
  assert.equal(promptName({ id, title: 'Größe prüfen (Öl)!' }), `groesse-pruefen-oel-${id}`)
  assert.equal(promptName({ id, title: '日本' }), id)
  assert.match(promptName({ id, title: 'w '.repeat(100) }), new RegExp(`^[a-z-]{1,40}-${id}$`))
})

test('a tool call that fails for lack of storage is logged, as on every route; a refused one is not', async () => {
  const logged: unknown[] = []
  const log = { warn: ({ err }: { err: unknown }) => logged.push(err) } as unknown as Exchange['log']
  const watermarks = {} as Exchange['watermarks']
  const exchange: Exchange = { caller: {} as Exchange['caller'], watermarks, requestId: 'r', log }
  for (const kind of ['unavailable', 'storage_full', 'not_found'] as const) {
    const fault = new Fault(kind, [{ loc: [], msg: 'No', type: kind }])
    const { isError } = await callTool({ ...TOOLS[0], call: () => Promise.reject(fault) }, {}, exchange)
    assert.equal(isError, true)
  }
  assert.deepEqual(
    logged.map((error) => (error as Fault).kind),
    ['unavailable', 'storage_full'],
  )
})

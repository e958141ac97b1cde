import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '../../platform/access/scopes.ts'
import { Contract, Decimal, Nullable, Text, Type, Uuid } from '../../platform/contract/schema.ts'
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
    assert.ok(tool.title !== '' && tool.description.length > 30, tool.name)
    assert.equal(tool.inputSchema.additionalProperties, false)
    assert.ok(tool.scopes.length > 0)
    assert.equal(
      tool.annotations.readOnlyHint,
      tool.scopes.every((scope) => scope.endsWith(':read')),
    )
    const fields = tool.inputSchema.properties as Record<string, Record<string, unknown>>
    assert.deepEqual(Object.keys(fields), tool.fields)
    for (const [name, field] of Object.entries(fields)) {
      assert.ok('type' in field || 'anyOf' in field || name === 'type', `${tool.name}.${name}`)
    }
  }
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
  assert.match(said(homeless), /- category_id: Field required\. .*list_categories/)
  assert.match(said(notFound(['path', 'entry_id'], 'Entry')), /- entry_id: Entry not found\. .*search_knowledge/)
  assert.match(said(notFound(['path', 'product_id'], 'Product')), /search_products/)
  assert.match(said(referenceNotFound(['body', 'category_id'], 'Category')), /list_categories/)
  assert.match(said(forbidden(['body', 'visibility'], 'Too high', ['visibility:restricted'])), /visibility:restricted/)
  assert.match(said(forbidden(['header', 'authorization'], 'No user')), /^.*\n- No user\. Do not try again/)
  assert.match(said(invalid(['body', 'type'], 'immutable_field', 'Fixed')), /new entry of the other type/)
  const late = { loc: ['header', 'if-match'], msg: 'Another version', type: 'precondition_failed' }
  assert.match(said(new Fault('precondition_failed', [late])), /- expected_version: Another version\. .*get_entry/)
  const down = { loc: [], msg: 'Storage cannot answer', type: 'unavailable' }
  assert.match(
    said(new Fault('unavailable', [down], { retryAfterSeconds: 3 })),
    /Nothing was changed\. Try again in 3 s/,
  )
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
  const exchange: Exchange = { caller: {} as Exchange['caller'], requestId: 'r', log }
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

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Client } from '@modelcontextprotocol/client'
import * as fc from 'fast-check'
import { DATABASES } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { inTier } from '../support/tier.ts'
import { connect, connect1, modern, post } from './assistant.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const TOOLS = [
  'search_knowledge',
  'get_entry',
  'list_entries',
  'create_entry',
  'create_personal_note',
  'update_entry',
  'delete_entry',
  'list_categories',
  'search_products',
  'find_similar_products',
]
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }

describe('the protocol', () => {
  let service: TestService
  let url: string
  const ids: Record<string, string> = {}

  before(async () => {
    service = await joinService(DATABASES[0])
    url = service.service.url
    const category_id = await service.category()
    const make = async (name: string, fields: Record<string, unknown>) => {
      const body = { title: name, content: `Inhalt von ${name}`, category_id, ...fields }
      ids[name] = (await service.call('POST', ENTRIES, { body })).body.id
    }
    await make('Grundregeln', { type: 'bootstrap', summary: 'Wie hier gearbeitet wird' })
    const steps = ['Kunde fragen', 'Angebot schreiben']
    await make('Angebot erstellen', { type: 'skill', metadata: { steps, trigger: 'Wenn jemand anfragt' } })
    await make('Öffnungszeiten', { tags: ['laden'], summary: 'Wann offen ist' })
    await service.call('POST', '/api/knowledge/sites', { body: { slug: 'shop', name: 'Shop' } })
    await service.call('POST', '/api/knowledge/products?site_id=shop', { body: { title: 'Lampe', language: 'de' } })
    await make('Handbuch', { content: 'Seite. '.repeat(20_000) })
  })
  after(() => service.stop())

  const bearer = (key = service.adminKey) => ({ authorization: `Bearer ${key}` })
  const send = (message: unknown, headers: Record<string, string> = {}) =>
    post(url, message, { ...bearer(), ...headers })

  const clients = {
    'client 2 at 2026-07-28': () => connect(service, service.adminKey),
    'client 2 at 2025-11-25': () => connect(service, service.adminKey, { revision: '2025-11-25' as const }),
    'client 1': async () => (await connect1(service, service.adminKey)) as unknown as Client,
  }
  for (const [name, open] of Object.entries(clients)) {
    test(`${name} learns the server’s name, lists and uses tools, resources and prompts`, async () => {
      const client = await open()
      assert.equal(client.getServerVersion()?.name, 'knowledge-service')
      assert.match(client.getServerVersion()?.version ?? '', /^\d+\.\d+\.\d+$/)
      assert.match(client.getInstructions() ?? '', /search_knowledge/)
      const { tools } = await client.listTools()
      assert.ok(JSON.stringify(tools).length < 10_000)
      assert.deepEqual(
        tools.map((tool) => tool.name),
        TOOLS,
      )
      const remove = tools.find((tool) => tool.name === 'delete_entry')
      assert.equal(remove?.annotations?.destructiveHint, true)

      const called = await client.callTool({ name: 'get_entry', arguments: { entry_id: ids.Öffnungszeiten } })
      assert.equal((called.structuredContent as { title: string }).title, 'Öffnungszeiten')

      const { resources } = await client.listResources()
      assert.deepEqual(
        new Set(resources.map(({ uri }) => uri)),
        new Set(Object.values(ids).map((id) => `knowledge://entries/${id}`)),
      )
      const { resourceTemplates } = await client.listResourceTemplates()
      assert.deepEqual(
        resourceTemplates.map(({ uriTemplate }) => uriTemplate),
        ['knowledge://entries/{entry_id}{?offset}'],
      )
      const { contents } = await client.readResource({ uri: `knowledge://entries/${ids.Öffnungszeiten}` })
      assert.equal(contents[0].mimeType, 'text/markdown')
      assert.match(
        (contents[0] as { text: string }).text,
        /^# Öffnungszeiten\n[^]*Tags: laden[^]*Inhalt von Öffnungszeiten/,
      )

      const { prompts } = await client.listPrompts()
      assert.deepEqual(
        prompts.map(({ title }) => title),
        ['Grundregeln', 'Angebot erstellen'],
      )
      assert.equal(prompts[1].name, `angebot-erstellen-${ids['Angebot erstellen']}`)
      const got = await client.getPrompt({ name: prompts[1].name, arguments: { task: 'Für Frau Weber' } })
      const { content } = got.messages[0]
      assert.ok(content.type === 'text')
      assert.match(
        content.text,
        /# Angebot erstellen[^]*1\. Kunde fragen\n2\. Angebot schreiben[^]*## Task\n\nFür Frau Weber/,
      )
      await client.close()
    })

    test(`${name} is told when something does not exist`, async () => {
      const client = await open()
      await assert.rejects(
        client.readResource({ uri: 'knowledge://entries/00000000-0000-7000-8000-000000000000' }),
        /not found/i,
      )
      await assert.rejects(client.readResource({ uri: 'file:///etc/passwd' }), /not found/i)
      await assert.rejects(client.getPrompt({ name: 'none' }), /Prompt not found/)
      await assert.rejects(client.getPrompt({ name: `x-${ids.Öffnungszeiten}` }), /Prompt not found/)
      await assert.rejects(client.callTool({ name: 'none' }), /no such tool/)
      await assert.rejects(client.listResources({ cursor: 'nonsense' }), /cursor/)
      await client.close()
    })
  }

  test('a long resource is read in parts, each with the start of the next', async () => {
    let uri: string | undefined = `knowledge://entries/${ids.Handbuch}`
    let characters = 0
    while (uri !== undefined) {
      const { message } = await send({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } })
      const { text } = message.result.contents[0] as { text: string }
      assert.ok(text.length < 101_000)
      characters += text.match(/Seite\./g)?.length ?? 0
      uri = /more characters: (\S+)\]$/.exec(text)?.[1]
    }
    assert.equal(characters, 20_000)
  })

  test('lists of resources and prompts come in pages without gaps or duplicates', async () => {
    const tenant = await service.tenant('many')
    const { key } = await service.user({ tenant, email: 'many@x' })
    const category_id = await service.category('c', key)
    const lines = Array.from({ length: 120 }, (_, i) => {
      const type = i % 2 === 0 ? { type: 'skill', metadata: { steps: ['x'] } } : { type: 'bootstrap' }
      return JSON.stringify({ title: `Nr ${i}`, content: 'x', category_id, source_reference: `n/${i}`, ...type })
    })
    await service.call('POST', `${ENTRIES}/bulk`, {
      key,
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    for (const [method, field, name] of [
      ['resources/list', 'resources', 'uri'],
      ['prompts/list', 'prompts', 'name'],
    ]) {
      const seen = new Set<string>()
      let cursor: string | undefined
      let pages = 0
      do {
        const { message } = await send({ jsonrpc: '2.0', id: 1, method, params: { cursor } }, bearer(key))
        const page = message.result[field] as Record<string, string>[]
        assert.ok(page.length > 0 && page.length <= 50)
        for (const each of page) {
          assert.ok(!seen.has(each[name]))
          seen.add(each[name])
        }
        cursor = message.result.nextCursor
        pages += 1
      } while (cursor !== undefined)
      assert.equal(seen.size, 120)
      assert.equal(pages, 3)
    }
  })

  test('invalid messages are answered as JSON-RPC says', async () => {
    const cases: [unknown, Record<string, string>, number, number][] = [
      ['{"jsonrpc":', {}, 400, -32_700],
      ['', {}, 400, -32_700],
      ['{"a":1,"a":2}', {}, 400, -32_700],
      [[PING, PING], {}, 400, -32_600],
      [{ hello: 'world' }, {}, 400, -32_600],
      [5, {}, 400, -32_600],
      [{ ...PING, method: 'no/such' }, {}, 200, -32_601],
      [modern('no/such'), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'no/such' }, 404, -32_601],
      [modern('ping'), {}, 400, -32_020],
      [modern('subscriptions/listen', { notifications: {} }), {}, 404, -32_601],
      [{ ...PING, method: 'tools/call', params: {} }, {}, 400, -32_602],
      [{ ...PING, method: 'resources/read', params: { uri: 5 } }, {}, 400, -32_602],
      [PING, { accept: 'application/json' }, 406, -32_000],
      [PING, { 'content-type': 'text/plain' }, 415, -32_000],
      [PING, { 'mcp-protocol-version': '1999-01-01' }, 400, -32_000],
      [`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(2 * 1_024 * 1_024)}"}}`, {}, 413, -32_000],
    ]
    for (const [body, headers, status, code] of cases) {
      const answer = await send(body, headers)
      const name = JSON.stringify(body).slice(0, 80)
      assert.deepEqual(
        [answer.status, answer.message.error?.code],
        [status, code],
        `${name}: ${answer.text.slice(0, 300)}`,
      )
    }
    assert.equal((await send({ jsonrpc: '2.0', method: 'notifications/initialized' })).status, 202)
  })

  test('no message, however strange, makes the service fail', async () => {
    const method = fc.constantFrom(
      'tools/call',
      'resources/read',
      'prompts/get',
      'resources/list',
      'prompts/list',
      'tools/list',
    )
    const value = fc.oneof(
      fc.constantFrom<unknown>(...Object.values(ids), 'semantic', 'skill', 'personal', `x-${ids.Handbuch}`),
      fc.constant(`knowledge://entries/${ids.Handbuch}?offset=999999999`),
      fc.integer({ min: -1, max: 120_000 }),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const field = fc.constantFrom(
      'query',
      'entry_id',
      'product_id',
      'limit',
      'offset',
      'cursor',
      'mode',
      'tags',
      'price_min',
      'type',
    )
    const params = fc.record(
      {
        name: fc.oneof(fc.constantFrom(...TOOLS.filter((name) => !/create|update|delete/.test(name))), value),
        arguments: fc.oneof(fc.dictionary(field, value, { maxKeys: 4 }), value),
        uri: value,
        cursor: value,
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(method, params, async (name, input) => {
        const answer = await send({ jsonrpc: '2.0', id: 1, method: name, params: input })
        assert.ok(answer.status < 500, answer.text)
        assert.notEqual(answer.message.error?.code, -32_603, answer.text)
        assert.doesNotMatch(answer.text, /Internal error/)
      }),
      { numRuns: inTier({ gate: 100, all: 400 }) },
    )
  })

  test('there are no streams and no sessions to open or to end', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(`${url}/mcp`, { method, headers: bearer() })
      assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
    }
    const { headers } = await send({
      ...PING,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    })
    assert.equal(headers.get('mcp-session-id'), null)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.ok(headers.get('x-request-id'))
  })
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as openSocket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { logSettings } from '../../src/platform/http/logger.ts'
import { MCP_SCOPES } from '../../src/channels/mcp/challenge.ts'
import { startService } from '../../src/server.ts'
import { Browser } from '../sessions/browser.ts'
import { DATABASES } from '../support/databases.ts'
import { testConfig, TestService } from '../support/service.ts'
import { connect, modern, post, use } from './assistant.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PASSWORD = 'the first password'
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }

describe('access to MCP', () => {
  let service: TestService
  let url: string

  before(async () => {
    service = await TestService.start(DATABASES[0], {
      PUBLIC_URL: 'https://knowledge.test',
      BOOTSTRAP_ADMIN_PASSWORD: PASSWORD,
    })
    url = service.service.url
  })
  after(() => service.stop())

  const bearer = (key = service.adminKey) => ({ authorization: `Bearer ${key}` })
  const send = (message: unknown, headers: Record<string, string> = {}) =>
    post(url, message, { ...bearer(), ...headers })

  test('without a valid credential the answer points to the authorization server', async () => {
    const metadata = 'resource_metadata="https://knowledge.test/.well-known/oauth-protected-resource/mcp"'
    const scope = `scope="${MCP_SCOPES.join(' ')}"`
    const none = await post(url, PING)
    assert.deepEqual([none.status, none.headers.get('www-authenticate')], [401, `Bearer ${metadata}, ${scope}`])
    assert.equal(none.message.jsonrpc, '2.0')
    const bad = await send(PING, { authorization: 'Bearer nonsense' })
    assert.equal(bad.headers.get('www-authenticate'), `Bearer error="invalid_token", ${metadata}, ${scope}`)
    const looked = await fetch(`${url}/mcp`)
    assert.deepEqual([looked.status, looked.headers.get('www-authenticate')], [401, `Bearer ${metadata}, ${scope}`])
  })

  test('a session of the browser is no credential of an assistant', async () => {
    const browser = new Browser(service)
    const person = { email: 'admin@localhost', password: PASSWORD }
    // The public address uses TLS.
    const page = { origin: url.replace('http:', 'https:') }
    assert.equal((await browser.call('POST', '/api/session', person, page)).status, 200)
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    const response = await fetch(`${url}/api/session`, { headers: { cookie } })
    assert.equal(response.status, 200)
    const answer = await post(url, PING, { cookie, ...page })
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer resource_metadata=/)
  })

  test('an access token acts for its client, within its scopes', async () => {
    const registration = {
      client_name: 'Assistant',
      redirect_uris: ['https://assistant.test/callback'],
      grant_types: ['client_credentials'],
      scope: 'knowledge:read knowledge:write visibility:internal',
    }
    const client = (await service.call('POST', '/oauth/register', { body: registration })).body
    const form = {
      grant_type: 'client_credentials',
      scope: registration.scope,
      resource: 'https://knowledge.test/mcp',
    }
    const answer = await fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
      body: new URLSearchParams(form),
    })
    assert.equal(answer.status, 200, await answer.clone().text())
    const { access_token: token } = (await answer.json()) as { access_token: string }
    const assistant = await connect(service, token, { headers: { 'x-client-id': 'somebody else' } })
    const { tools } = await assistant.listTools()
    assert.ok(tools.some(({ name }) => name === 'create_entry') && !tools.some(({ name }) => name === 'delete_entry'))
    const category_id = await service.category('Vom Assistenten')
    const creation = await use(assistant, 'create_entry', { title: 'x', content: 'x', category_id })
    const audited = await service.database.queries
      .selectFrom('audit_log')
      .selectAll()
      .where('resource_id', '=', creation.data.id)
      .execute()
    assert.deepEqual(
      audited.map((row) => [row.source, row.client_id, row.claimed_source, row.claimed_client_id]),
      [['mcp', client.client_id, null, 'somebody else']],
    )
    await service.call('DELETE', `${ENTRIES}/${creation.data.id}`)
    await assistant.close()
  })

  test('tools beyond the scopes are not listed, and the refusal of a call names every scope to ask for', async () => {
    const key = await service.key(['knowledge:read', 'visibility:community'])
    const list = await send({ ...PING, method: 'tools/list' }, bearer(key))
    assert.deepEqual(
      list.message.result.tools.map((tool: { name: string }) => tool.name),
      ['search_knowledge', 'get_entry', 'list_entries', 'list_categories'],
    )
    for (const message of [
      { ...PING, method: 'tools/call', params: { name: 'delete_entry', arguments: {} } },
      modern('tools/call', { name: 'delete_entry', arguments: {} }, 7),
    ]) {
      const called = await send(message, bearer(key))
      assert.equal(called.status, 403)
      assert.match(
        called.headers.get('www-authenticate') ?? '',
        /error="insufficient_scope".*scope="knowledge:read visibility:community knowledge:delete"/,
      )
      assert.equal(called.message.id, 7)
      assert.match(called.message.error?.message ?? '', /needs the scope knowledge:delete/)
    }
    // Scopes that the gateway removes are missing here too.
    const narrowed = async () => {
      const { message } = await send({ ...PING, method: 'tools/list' }, { 'x-scopes': 'products:read' })
      return message.result.tools.map((tool: { name: string }) => tool.name)
    }
    assert.deepEqual(await narrowed(), [], 'a tenant without products needs no tools for them')
    await service.call('POST', '/api/knowledge/sites', { body: { slug: 'shop', name: 'Shop' } })
    await service.call('POST', '/api/knowledge/products?site_id=shop', { body: { title: 'Lampe', language: 'de' } })
    assert.deepEqual(await narrowed(), ['search_products', 'find_similar_products'])
    const read = await send({ ...PING, method: 'resources/list' }, { 'x-scopes': 'products:read' })
    assert.equal(read.status, 403)
    const useless = await send(PING, bearer(await service.key(['sites:read', 'visibility:internal'])))
    assert.equal(useless.status, 403)
    assert.match(
      useless.headers.get('www-authenticate') ?? '',
      new RegExp(`error="insufficient_scope".*${MCP_SCOPES.join(' ')}`),
    )
  })

  test('pages of foreign origins are refused', async () => {
    assert.equal((await send(PING, { origin: 'https://knowledge.test' })).status, 200)
    assert.equal((await send(PING, { origin: url })).status, 200)
    for (const origin of ['https://evil.test', 'null', 'http://localhost:1']) {
      const { status, message } = await send(PING, { origin })
      assert.deepEqual([status, message.error?.code], [403, -32_000])
    }
  })

  test('a tenant with its own host accepts pages of that host', async () => {
    await service.tenant('hosted')
    const { key } = await service.user({ tenant: 'hosted', email: 'hosted@x' })
    await service.database.queries
      .updateTable('tenants')
      .set({ host: 'shop.test' })
      .where('tenant_id', '=', 'hosted')
      .execute()
    const { port } = new URL(url)
    const status = async (origin: string) => (await ask(origin, `authorization: Bearer ${key}\r\n`)).status
    const ask = async (origin: string, more: string) => {
      const socket = openSocket(Number(port), '127.0.0.1')
      await once(socket, 'connect')
      const body = JSON.stringify(PING)
      socket.write(
        `POST /mcp HTTP/1.1\r\nhost: shop.test\r\norigin: ${origin}\r\n${more}` +
          'content-type: application/json\r\naccept: application/json, text/event-stream\r\nconnection: close\r\n' +
          `content-length: ${body.length}\r\n\r\n${body}`,
      )
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      socket.destroy()
      const text = bytes.toString('latin1')
      return { status: Number(text.split(' ')[1]), text }
    }
    assert.equal(await status('https://shop.test'), 200)
    assert.equal(await status('https://evil.test'), 403)
    // The tenant has its own authorization server there.
    const { text } = await ask('https://shop.test', '')
    assert.match(text, /resource_metadata="https:\/\/shop\.test\/\.well-known\/oauth-protected-resource\/mcp"/)
  })

  test('logs contain neither credentials nor messages', async () => {
    const lines: string[] = []
    const logger = pino(logSettings('debug'), { write: (line) => lines.push(line) })
    const logging = await startService(testConfig(service.place), logger)
    const secret = 'hunter2'
    const input = { query: secret, title: secret, entry_id: secret }
    for (const message of [
      { ...PING, method: 'tools/call', params: { name: 'search_knowledge', arguments: { query: secret } } },
      { ...PING, method: 'tools/call', params: { name: 'create_entry', arguments: input } },
      { ...PING, method: 'resources/read', params: { uri: secret } },
      modern('ping', { secret }),
      { [secret]: secret },
      `{"${secret}`,
    ]) {
      await post(logging.url, message, bearer())
      await post(logging.url, message, { authorization: `Bearer ${secret}` })
    }
    await logging.stop()
    const text = lines.join('')
    assert.match(text, /"path":"\/mcp"/)
    assert.ok(!text.includes(secret) && !text.includes(service.adminKey), text)
  })

  test('requests are counted like those of every route', async () => {
    const { body } = await service.call('GET', '/metrics', { key: null })
    assert.match(body as string, /route="\/mcp"/)
    const key = await service.key(['knowledge:read'])
    const small = await service.sibling({ RATE_LIMIT_PER_MINUTE: '2' })
    const statuses: number[] = []
    for (let i = 0; i < 3; i++) statuses.push((await post(small.url, PING, bearer(key))).status)
    await small.stop()
    assert.deepEqual(statuses, [200, 200, 429])
  })
})

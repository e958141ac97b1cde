import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { publicFetch } from '../../src/identity/oauth/clients/public-fetch.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { assertUntouched } from '../isolation/tables.ts'
import { startNameServer } from '../support/name-server.ts'
import { REDIRECT, statusOf } from './assistant.ts'
import { Person } from './person.ts'
import { refused } from './refused.ts'
import { ISSUER, pkce, type Sent, type Stage } from './stage.ts'

/**
 * Declares the tests of clients that describe themselves by a document: of their claims, and of the documents'
 * addresses.
 */
export function documentAttacks(stageOf: () => Stage): void {
  test('a document counts only from a public address, when short, quick and truthful', async () => {
    const stage = stageOf()
    const host = 'documents.example'
    const origin = `https://${host}`
    const mode = (oauthRegistration: string) =>
      changeTenant(stage.database, 'documents', { settings: { oauthRegistration } })
    await stage.tenant('documents', host)
    await mode('open')
    await stage.user('document@x', 'admin', 'documents')
    const person = new Person(stage, { host })
    await person.signIn('document@x')
    const proof = pkce()
    const ask = async (client_id: string) => {
      const { page, answer } = await person.ask({
        client_id,
        redirect_uri: REDIRECT,
        response_type: 'code',
        scope: 'knowledge:read tenant:admin',
        state: 'a state',
        code_challenge: proof.challenge,
        code_challenge_method: 'S256',
        resource: `${origin}/mcp`,
      })
      return { page, answer }
    }
    const serve = (name: string, answer: (id: string, init: RequestInit) => Response | Promise<Response>): string => {
      const id = `https://client.example/${name}.json`
      stage.documents.set(id, async (init) => answer(id, init))
      return id
    }
    const described = (id: string, more: object = {}, headers = {}) =>
      new Response(JSON.stringify({ client_id: id, client_name: 'An assistant', redirect_uris: [REDIRECT], ...more }), {
        headers,
      })
    let calls = 0
    let connections = 0
    const inside = createServer((socket) => {
      connections++
      socket.destroy()
    })
    await once(inside.listen(0, '127.0.0.1'), 'listening')
    const { port } = inside.address() as AddressInfo
    const slow = (_id: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)))
    const bad = {
      'of another': serve('other', () => described('https://client.example/elsewhere.json')),
      'with a secret': serve('secret', (id) => described(id, { client_secret: 'x' })),
      'with the method of a secret': serve('method', (id) =>
        described(id, { token_endpoint_auth_method: 'client_secret_basic' }),
      ),
      'with a key of its own': serve('jwt', (id) => described(id, { token_endpoint_auth_method: 'private_key_jwt' })),
      'with a name that shows nothing': serve('unseen', (id) => described(id, { client_name: '\u3164\u2800 ' })),
      'with a name that turns its direction': serve('turned', (id) => described(id, { client_name: 'a\u202eb' })),
      'with a name that fills the page': serve('long', (id) => described(id, { client_name: 'x'.repeat(201) })),
      'without addresses': serve('nowhere', (id) => described(id, { redirect_uris: [] })),
      'with other addresses': serve('away', (id) => described(id, { redirect_uris: ['https://other.example/'] })),
      'with an address of no use': serve('plain', (id) =>
        described(id, { redirect_uris: [REDIRECT, 'http://app.example/callback'] }),
      ),
      'with a script for an address': serve('script', (id) =>
        described(id, { redirect_uris: [REDIRECT, 'javascript:alert(1)'] }),
      ),
      'too large': serve('large', (id) => described(id, { padding: 'x'.repeat(5_200) })),
      'that goes on for ever': serve('endless', () => {
        const more = () => new Uint8Array(1_024).fill(0x20)
        return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(more()) }))
      }),
      'that redirects': serve('moved', () => Response.redirect('https://client.example/good.json', 302)),
      'not found': serve('missing', () => new Response('', { status: 404 })),
      'no JSON': serve('text', () => new Response('<html>')),
      'a list': serve('list', () => new Response('[]')),
      null: serve('null', () => new Response('null')),
      'that cannot be reached': serve('broken', () => Promise.reject(new Error('secret reason'))),
      'too slow': serve('slow', slow),
    }
    const addresses = [
      'http://client.example/good.json',
      'https://user@client.example/good.json',
      'https://client.example/a/../good.json',
      'https://client.example/good.json#a',
      `https://localhost:${port}/client.json`,
      `https://127.0.0.1:${port}/client.json`,
      `https://127.1:${port}/client.json`,
      `https://[::ffff:127.0.0.1]:${port}/client.json`,
      'https://[::1]/client.json',
      'https://10.0.0.1/client.json',
      'https://169.254.169.254/latest/meta-data',
    ]
    const good = serve('good', (id) => {
      calls++
      return described(id, { scope: 'root', grant_types: ['authorization_code', 'client_credentials'] })
    })
    await assertUntouched(stage.database, ['documents', '*'], async () => {
      await Promise.all(
        [...Object.entries(bad), ...addresses.map((id) => [id, id])].map(async ([what, id]) => {
          const { answer } = await ask(id)
          assert.deepEqual([answer.status, answer.location], [400, null], `${what}: ${answer.text}`)
          assert.equal(what.startsWith('with a name'), answer.text.includes('client_name: must'), answer.text)
          assert.doesNotMatch(answer.text, /secret reason|ECONNREFUSED|127\.0\.0\.1:/)
        }),
      )
    })
    inside.close()
    assert.equal(connections, 0, 'nothing inside is even connected to')

    const { page, answer } = await ask(good)
    assert.ok(page !== null, answer.text)
    const details = (await person.call('GET', `${page}/details`)).json
    assert.deepEqual([details.client.document_host, details.client.registration], ['client.example', 'document'])
    const granted = await person.consent(await person.goOn(page), ['knowledge:read'])
    const code = new URL((await person.follow(granted.json.location)).location!).searchParams.get('code')!
    const form = {
      grant_type: 'authorization_code',
      code,
      code_verifier: proof.verifier,
      redirect_uri: REDIRECT,
      client_id: good,
    }
    const token = (fields: Record<string, string>) => stage.send('POST', '/oauth/token', { form: fields, host })
    refused(await token({ grant_type: 'client_credentials', client_id: good }), 'invalid_request')
    const { json } = await token(form)
    assert.equal(await statusOf(stage, json.access_token, host), 200)
    assert.equal(calls, 1, 'a document is not fetched for every request')
    const strange = serve('strange', (id) => {
      calls++
      return described(id)
    })
    const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(`${user}:x`).toString('base64')}` })
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
      const isToken = path === '/oauth/token'
      const fields: Record<string, string> = isToken
        ? { grant_type: 'refresh_token', refresh_token: 'x' }
        : { token: 'x' }
      const ways: Sent[] = [
        { form: { ...fields, client_id: strange } },
        { form: fields, headers: basic(encodeURIComponent(strange)) },
      ]
      const [error, status] = isToken ? (['invalid_grant', 400] as const) : (['invalid_client', 401] as const)
      for (const way of ways) refused(await stage.send('POST', path, { ...way, host }), error, status)
    }
    assert.equal(calls, 1, 'the service fetches nothing here for a client that was never let in')

    // A client known by an address can be removed by it.
    const removed = await person.call('DELETE', `/api/knowledge/oauth-clients/${encodeURIComponent(good)}`)
    assert.equal(removed.status, 204, removed.text)
    assert.equal(await statusOf(stage, json.access_token, host), 401)

    // Once closed again, documents are no longer fetched, and no person can consent for a known one.
    await mode('key')
    const closed = await ask(serve('late', (id) => described(id)))
    assert.equal(closed.answer.status, 400)
    const repeat = await ask(good)
    assert.equal(repeat.page === null ? 403 : (await person.call('POST', `${repeat.page}/continue`)).status, 403)
    assert.equal((await stage.send('GET', '/.well-known/oauth-authorization-server')).json.issuer, ISSUER)
  })

  test('names without an answer delay nothing else in the process, and free their slots in the end', async (t) => {
    const stage = stageOf()
    const host = 'silent.example'
    await stage.tenant('silent', host)
    await changeTenant(stage.database, 'silent', { settings: { oauthRegistration: 'open' } })
    const eight = Promise.withResolvers<void>()
    const names = new Set<string>()
    const server = await startNameServer(({ name }) => {
      if (names.add(name).size === 8) eight.resolve()
      return null
    })
    t.after(() => server.close())
    const fetch = publicFetch({ servers: [server.address] })
    // Through a service where no other attack fetches documents.
    const ask = (client_id: string) =>
      new Person(stage, { host, door: stage.lenient }).ask({
        client_id,
        redirect_uri: REDIRECT,
        response_type: 'code',
        code_challenge: pkce().challenge,
        code_challenge_method: 'S256',
      })
    let answered = 0
    const asking = Array.from({ length: 40 }, async (_, i) => {
      const id = `https://client-${i}.example/client.json`
      stage.documents.set(id, (init) => fetch(id, init))
      const { answer } = await ask(id)
      answered++
      assert.deepEqual([answer.status, answer.location], [400, null], answer.text)
    })
    await eight.promise
    // More at once than the process has threads for look-ups and files.
    await Promise.all(Array.from({ length: 8 }, () => [lookup('localhost'), stat('.')]).flat())
    assert.ok(answered <= 32, 'the eight that are looked up are still being looked up')
    const good = 'https://client.example/silent-good.json'
    stage.documents.set(good, async () =>
      Response.json({ client_id: good, client_name: 'An assistant', redirect_uris: [REDIRECT] }),
    )
    assert.equal((await ask(good)).page, null, 'one more is refused meanwhile')
    await Promise.all(asking)
    assert.equal(names.size, 8)
    const { page, answer } = await ask(good)
    assert.ok(page !== null, answer.text)
  })
}

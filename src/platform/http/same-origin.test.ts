import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHttp } from './app.ts'
import { demandSameOrigin } from './caller.ts'
import type { TrustedProxies } from '../throttling/trusted-proxies.ts'

interface Place {
  readonly publicUrl?: string
  readonly trustProxy?: TrustedProxies
}

/** Returns the answer to a write that only the service's own pages may make. */
async function answerOf({ publicUrl = 'http://kb.example', trustProxy }: Place, headers: Record<string, string>) {
  const app = createHttp({ resolveCaller: () => assert.fail(), publicUrl, trustProxy })
  app.post('/write', { config: { public: true } }, async (request, reply) => {
    demandSameOrigin(request)
    return reply.code(204).send(null)
  })
  const answer = await app.inject({
    method: 'POST',
    url: '/write',
    headers: { host: 'kb.example', ...headers },
  })
  await app.close()
  return answer
}

async function statusOf(place: Place, headers: Record<string, string>): Promise<number> {
  return (await answerOf(place, headers)).statusCode
}

const statusFrom = (origin: string, place: Place = {}, headers = {}) => statusOf(place, { origin, ...headers })

test('a page of another scheme is refused like one of another host', async () => {
  const overTls = { publicUrl: 'https://kb.example' }
  assert.equal(await statusFrom('https://kb.example', overTls), 204)
  assert.equal(await statusFrom('http://kb.example', overTls), 403)
  assert.equal(await statusFrom('http://kb.example'), 204)
  assert.equal(await statusFrom('https://kb.example'), 403)
  // A tenant's own host uses https like the public address.
  assert.equal(await statusFrom('https://shop.example', overTls, { host: 'shop.example' }), 204)
  assert.equal(await statusFrom('http://shop.example', overTls, { host: 'shop.example' }), 403)
})

test('only a trusted proxy decides whether the request came by https', async () => {
  const forwardedAs = (scheme: string) => ({ 'x-forwarded-proto': scheme })
  const behind = { trustProxy: 1 }
  assert.equal(await statusFrom('https://kb.example', behind, forwardedAs('https')), 204)
  assert.equal(await statusFrom('http://kb.example', behind, forwardedAs('https')), 403)
  assert.equal(await statusFrom('http://kb.example', behind, forwardedAs('http')), 204)
  assert.equal(await statusFrom('http://kb.example', behind), 204)
  assert.equal(await statusFrom('https://kb.example', {}, forwardedAs('https')), 403)
  // A second proxy behind the one that ends TLS says http, which changes nothing.
  const overTls = { publicUrl: 'https://kb.example', trustProxy: 1 }
  assert.equal(await statusFrom('https://kb.example', overTls, forwardedAs('http')), 204)
  assert.equal(await statusFrom('http://kb.example', overTls, forwardedAs('http')), 403)
})

test('origins are compared in the form that browsers send', async () => {
  const overTls = { publicUrl: 'https://kb.example' }
  assert.equal(await statusFrom('https://kb.example', overTls, { host: 'KB.example:443' }), 204)
  assert.equal(await statusFrom('https://kb.example:8443', overTls, { host: 'kb.example:8443' }), 204)
  for (const origin of ['https://kb.example:8443', 'https://kb.example.evil', 'null', '', 'kb.example']) {
    assert.equal(await statusFrom(origin, overTls), 403, origin)
  }
  assert.equal(await statusFrom('null', overTls, { host: '' }), 403)
  assert.equal(await statusOf(overTls, { 'sec-fetch-site': 'same-origin' }), 204)
  assert.equal(await statusOf(overTls, { 'sec-fetch-site': 'same-site' }), 403)
})

test('a program that sends no origin is told what is missing, and a foreign page that it may not', async () => {
  const place = { publicUrl: 'https://kb.example' }
  const told = async (headers: Record<string, string>) => (await answerOf(place, headers)).json().detail[0].msg
  assert.equal(
    await told({}),
    'The header Origin is missing. Browsers send it by themselves; a program sends Origin: https://kb.example, or uses an API key',
  )
  const foreign = 'Pages of another origin may not do this'
  assert.equal(await told({ origin: 'https://evil.example' }), foreign)
  assert.equal(await told({ 'sec-fetch-site': 'cross-site' }), foreign)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { logSettings } from '../../src/platform/http/logger.ts'
import type { RequestLogOptions } from '../../src/platform/http/request-log.ts'
import type { HttpApp } from '../../src/platform/http/route.ts'
import { until } from '../support/patience.ts'
import { CREDENTIAL, start } from './support.ts'

/** Milliseconds by which the clock is ahead. A test that sets it decides how long requests take. */
let aheadMs = 0

function routes(app: HttpApp): void {
  app.get('/healthz', { config: { public: true } }, () => ({}))
  app.get('/things/:id', () => ({}))
  app.post('/things', () => ({}))
  app.get('/admin', { config: { scopes: ['tenant:admin'] } }, () => ({}))
  app.get('/slow', () => {
    aheadMs += 260
    return {}
  })
  app.get('/fail', () => {
    throw new Error('broken')
  })
}

async function logging(requestLog: RequestLogOptions) {
  const written: string[] = []
  const logger = pino(logSettings('info'), { write: (line) => written.push(line) })
  const { app, port, send } = await start(routes, { logger, requestLog })
  const lines = (message: string) =>
    written.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ msg }) => msg === message)
  return { app, port, send, lines, written }
}

describe('the request log', () => {
  test('a request has a line with its route, tenant and credential, without its path and query', async () => {
    const { send, lines, written } = await logging({ percent: 100, slowMs: 0 })
    await send('GET', '/things/hunter2?q=hunter3', { headers: { authorization: 'Bearer other' } })
    const [{ method, route, status, tenantId, credentialId, durationMs }] = lines('request')
    assert.deepEqual([method, route, status, tenantId], ['GET', '/things/:id', 200, 't'])
    // The tests' callers have their credential for an id.
    assert.equal(credentialId, 'Bearer other')
    assert.ok((durationMs as number) > 0)
    assert.doesNotMatch(written.join(''), /hunter/)
  })

  test('of good requests a share is logged, of probes none', async () => {
    const { send, lines } = await logging({ percent: 30, slowMs: 0 })
    for (let i = 0; i < 300; i++) await send('GET', '/things/1')
    const { length } = lines('request')
    // Both bounds are nine standard deviations away.
    assert.ok(length > 20 && length < 160, `${length} of 300`)
    const all = await logging({ percent: 100, slowMs: 0 })
    for (let i = 0; i < 5; i++) await all.send('GET', '/healthz')
    assert.equal(all.lines('request').length, 0)
  })

  test('faults are logged whatever the share, except those that any client can cause without a credential of its own', async () => {
    const { send, lines } = await logging({ percent: 0, slowMs: 0 })
    await send('GET', '/things/1')
    await send('GET', '/fail')
    await send('GET', '/admin', { headers: { authorization: 'Bearer reader' } })
    await send('POST', '/things', { body: 'x'.repeat(10), headers: { 'content-type': 'application/json' } })
    // These requests have no known credential.
    await send('GET', '/things/1', { headers: { authorization: 'Bearer guess' } })
    await send('GET', '/nowhere')
    // The key of a page is public.
    const refused = await send('GET', '/things/1', { headers: { authorization: 'Bearer page' } })
    assert.equal(refused.status, 403)
    const told = lines('request').map(({ route, status }) => `${String(route)} ${String(status)}`)
    assert.deepEqual(told, ['/fail 500', '/admin 403', '/things 422'])
  })

  test('a client that is refused without end has a line a minute, which says how often', async (t) => {
    const began = performance.now()
    t.mock.method(performance, 'now', () => began + aheadMs)
    const { send, lines } = await logging({ percent: 100, slowMs: 0 })
    const ask = () => send('GET', '/admin', { headers: { authorization: 'Bearer reader' } })
    for (let i = 0; i < 5; i++) await ask()
    await send('GET', '/admin', { headers: { authorization: 'Bearer other' } })
    // The line of a request follows its answer.
    await until(() => lines('request').length === 2, 'each has its first line')
    // More than a minute: the sum of two floating-point numbers may be a little less than either says.
    aheadMs += 60_001
    await ask()
    await until(() => lines('request').length === 3, 'the minute is over')
    const told = lines('request').map(({ credentialId, repeated }) => [credentialId, repeated])
    assert.deepEqual(told, [
      ['Bearer reader', undefined],
      ['Bearer other', undefined],
      ['Bearer reader', 4],
    ])
  })

  test('a slow request is a warning that says what took time; receiving its body does not make it slow', async (t) => {
    const began = performance.now()
    t.mock.method(performance, 'now', () => began + aheadMs)
    const { app, port, send, lines } = await logging({ percent: 0, slowMs: 250 })
    const headers = { authorization: CREDENTIAL, 'content-type': 'application/json', 'content-length': 2 }
    const slowly = request({ port, method: 'POST', path: '/things', headers })
    const answered = once(slowly, 'response')
    const received = once(app.server, 'request')
    slowly.write('{')
    await received
    aheadMs += 300
    slowly.end('}')
    const [{ statusCode }] = (await answered) as [IncomingMessage]
    assert.equal(statusCode, 200)
    await send('GET', '/slow')
    const [{ level, route, spent }, ...others] = lines('slow request')
    assert.deepEqual([level, route, others], ['warn', '/slow', []])
    assert.deepEqual(Object.keys(spent as object), [
      'databaseMs',
      'databaseWaitMs',
      'searchMs',
      'embeddingMs',
      'receivingMs',
      'statements',
    ])
  })

  test('with slow requests off none is logged', async () => {
    const { send, written } = await logging({ percent: 0, slowMs: 0 })
    await send('GET', '/slow')
    assert.ok(!written.some((line) => line.includes('request')))
  })
})

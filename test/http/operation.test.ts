import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { PROGRAM_COMMIT } from '../../src/platform/commit.ts'
import { workOwner } from '../../src/platform/hidden-parameters.ts'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { VERSION } from '../../src/platform/version.ts'
import { addHealth } from '../../src/platform/http/health.ts'
import { stopGracefully } from '../../src/platform/http/transport/traffic.ts'
import { CREDENTIAL, only, start } from './support.ts'
import { HANG_MS, until } from '../support/patience.ts'

test('the process is alive in any state; readiness names what is missing, even when its check fails', async () => {
  let check = (): Promise<string[]> => Promise.resolve([])
  const { send } = await start((app) => addHealth(app, () => check(), createMetrics().registry))
  const headers = { authorization: '' }
  assert.deepEqual((await send('GET', '/healthz', { headers })).json, {
    status: 'ok',
    version: VERSION,
    commit: PROGRAM_COMMIT,
  })
  assert.deepEqual((await send('GET', '/readyz', { headers })).json, { status: 'ready', missing: [] })
  check = () => Promise.resolve(['database'])
  const lacking = await send('GET', '/readyz', { headers })
  assert.equal(lacking.status, 503)
  assert.equal(lacking.headers['retry-after'], '1')
  assert.deepEqual(lacking.json, { status: 'not_ready', missing: ['database'] })
  check = () => Promise.reject(new Error('secret'))
  assert.deepEqual((await send('GET', '/readyz')).json, { status: 'not_ready', missing: ['readiness check failed'] })
})

test('metrics count answers by route, method and class, and unknown paths as one', async () => {
  const metrics = createMetrics()
  const { app, send, raw } = await start(
    (http) => {
      addHealth(http, () => Promise.resolve([]), metrics.registry)
      http.get('/items/:id', () => ({}))
    },
    { observe: metrics.observe },
  )
  metrics.watchInFlight(() => app.traffic.inFlight)
  for (const id of ['a', 'b', 'c']) await send('GET', `/items/${id}`)
  await send('GET', '/items/d', { headers: { authorization: '' } })
  await send('GET', '/nowhere')
  await raw('PROPFIND /elsewhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  const { text, headers } = await send('GET', '/metrics', { headers: { authorization: '' } })
  assert.match(String(headers['content-type']), /^text\/plain/)
  assert.match(text, /http_request_duration_seconds_count\{method="GET",route="\/items\/:id",status="2xx"\} 3\n/)
  assert.match(text, /_bucket\{le="\+Inf",method="GET",route="\/items\/:id",status="2xx"\} 3\n/)
  assert.match(text, /_count\{method="GET",route="\/items\/:id",status="4xx"\} 1\n/)
  assert.match(text, /_count\{method="any",route="",status="4xx"\} 2\n/)
  assert.match(text, /http_requests_in_flight 1\n/)
  assert.match(text, /process_cpu_seconds_total/)
})

test('metrics are for those who send their token, where there is one, and leave out what counted nothing', async () => {
  const metrics = createMetrics()
  const token = 'a-token-of-metrics-readers'
  const { send } = await start((http) =>
    addHealth(http, () => Promise.resolve([]), { contentType: 'text/plain', metrics: metrics.text, token }),
  )
  metrics.observe('GET', '/slow', 200, 40)
  for (const authorization of ['', `Bearer ${token}x`]) {
    const refused = await send('GET', '/metrics', { headers: { authorization } })
    assert.equal(only(refused), '401 header.authorization unauthorized')
  }
  const { text } = await send('GET', '/metrics', { headers: { authorization: `Bearer ${token}` } })
  const buckets = text.match(/^http_request_duration_seconds_bucket\{le="[^"]*"/gm)!
  assert.equal(buckets[0], 'http_request_duration_seconds_bucket{le="0.05"')
  assert.equal(buckets.at(-1), 'http_request_duration_seconds_bucket{le="+Inf"')
  assert.doesNotMatch(text, /_bucket\{.*\} 0$/m)
})

test('a credential that asks too often waits, others do not', async () => {
  const { send } = await start((app) => app.get('/a', () => ({})), { rateLimitPerMinute: 3 })
  for (let i = 0; i < 3; i++) assert.equal((await send('GET', '/a')).status, 200)
  const answer = await send('GET', '/a')
  assert.equal(only(answer), '429 header.authorization rate_limited')
  assert.ok(Number(answer.headers['retry-after']) >= 1 && Number(answer.headers['retry-after']) <= 20)
  assert.equal((await send('GET', '/a', { headers: { authorization: 'Bearer other' } })).status, 200)
})

test('a request without the needed scope counts too, and a refused credential counts by its address', async () => {
  const { send } = await start((app) => app.get('/a', { config: { scopes: ['tenant:admin'] } }, () => ({})), {
    rateLimitPerMinute: 2,
  })
  const status = async (authorization: string) => (await send('GET', '/a', { headers: { authorization } })).status
  const answers = async (authorization: string) => [
    await status(authorization),
    await status(authorization),
    await status(authorization),
  ]
  assert.deepEqual(await answers('Bearer reader'), [403, 403, 429])
  assert.deepEqual(await answers('Bearer guess'), [401, 401, 429])
  const guessed = await send('GET', '/a', { headers: { authorization: 'Bearer other guess' } })
  assert.equal(only(guessed), '429 header.authorization rate_limited')
  assert.ok(Number(guessed.headers['retry-after']) > 0)
  assert.equal(await status(CREDENTIAL), 200)
})

test('a stopping service finishes running requests, refuses new requests and closes', async () => {
  const gate = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const { app, send } = await start((http) => {
    addHealth(http, () => Promise.resolve([]), createMetrics().registry)
    http.get('/slow', async () => {
      entered.resolve()
      await gate.promise
      return { done: true }
    })
  })
  const running = send('GET', '/slow')
  await entered.promise
  const stopped = stopGracefully(app)
  const refused = await send('GET', '/slow')
  assert.equal(only(refused), '503  unavailable')
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal(refused.headers.connection, 'close')
  assert.equal((await send('GET', '/healthz')).status, 200)
  assert.equal((await send('GET', '/readyz')).status, 503)
  gate.resolve()
  assert.deepEqual((await running).json, { done: true })
  await stopped
  await assert.rejects(send('GET', '/healthz'), { code: 'ECONNREFUSED' })
})

test('a request that never ends does not keep the service from stopping in time', { timeout: HANG_MS }, async () => {
  const entered = Promise.withResolvers<void>()
  const { app, send } = await start((http) => {
    http.get('/stuck', () => {
      entered.resolve()
      return new Promise(() => {})
    })
  })
  const stuck = assert.rejects(send('GET', '/stuck'))
  await entered.promise
  await stopGracefully(app, 300)
  await stuck
})

test('clients that go away leave nothing counted as running', async () => {
  const left = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  const { app } = await start((http) => {
    http.get('/wait', (_request, reply) => {
      entered.resolve()
      reply.raw.on('close', () => left.resolve())
      return new Promise(() => {})
    })
  })
  const { port } = app.server.address() as { port: number }
  const aborter = new AbortController()
  const call = fetch(`http://127.0.0.1:${port}/wait`, {
    headers: { authorization: CREDENTIAL },
    signal: aborter.signal,
  })
  await entered.promise
  assert.equal(app.traffic.inFlight, 1)
  aborter.abort()
  await assert.rejects(call)
  await left.promise
  assert.equal(app.traffic.inFlight, 0)
})

test('requests of one connection run one after the other, and waiting ones end with the client', async () => {
  let running = 0
  let most = 0
  let begun = 0
  const hold = Promise.withResolvers<void>()
  const { app, raw, port } = await start((http) => {
    http.get('/step', async () => {
      begun++
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return {}
    })
    http.get('/hold', async () => {
      await hold.promise
      return {}
    })
  })
  const head = (path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\n${more}\r\n`
  const answers = await raw(head('/step').repeat(19) + head('/step', 'Connection: close\r\n'))
  assert.equal(answers.split('HTTP/1.1 200').length, 21)
  assert.deepEqual([begun, most], [20, 1])

  const socket = connect(port, '127.0.0.1')
  socket.write(head('/hold') + head('/step').repeat(10))
  await until(() => app.traffic.inFlight >= 11, 'all requests have arrived')
  socket.destroy()
  await until(() => app.traffic.inFlight === 0, 'no request is left')
  hold.resolve()
  assert.equal(begun, 20)
})

test('a connection with too many waiting requests gets one refusal and is closed', async () => {
  let begun = 0
  const { app, raw } = await start((http) => {
    http.get('/step', () => {
      begun++
      return {}
    })
  })
  const answers = await raw(`GET /step HTTP/1.1\r\nHost: a\r\nAuthorization: ${CREDENTIAL}\r\n\r\n`.repeat(500))
  assert.equal(answers.split('HTTP/1.1 200').length - 1, 33)
  assert.equal(answers.split('HTTP/1.1 429').length - 1, 1)
  assert.deepEqual([begun, app.traffic.inFlight], [33, 0])
})

test('work of a request runs for its tenant, even after its body has arrived', async () => {
  const { send } = await start((http) => {
    const config = { config: { scopes: [] } }
    http.get('/owner', config, async () => ({ owner: workOwner() }))
    http.post('/owner', config, async () => ({ owner: workOwner() }))
  })
  const owners = [
    await send('GET', '/owner'),
    await send('POST', '/owner', { json: {} }),
    await send('POST', '/owner', { json: { text: 'x'.repeat(200_000) } }),
  ]
  assert.deepEqual(
    owners.map(({ json }) => json),
    Array.from({ length: 3 }, () => ({ owner: 't' })),
  )
})

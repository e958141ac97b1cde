import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { logSettings } from '../../src/platform/http/logger.ts'
import type { HttpApp } from '../../src/platform/http/route.ts'
import { CREDENTIAL, start } from './support.ts'

function routes(app: HttpApp): void {
  app.get('/oauth/authorize/:uid', { config: { public: true } }, () => ({}))
  app.get('/things/:id', () => ({}))
  app.get('/fail', () => {
    throw Object.assign(new Error('broken pipe to the moon', { cause: new Error('the reason') }), {
      parameters: ['hunter2'],
    })
  })
  app.get('/careless', (request) => {
    request.log.info({ headers: request.headers, req: { headers: request.headers } }, 'careless')
    return {}
  })
}

async function logged(level: string) {
  const lines: string[] = []
  const { send } = await start(routes, { logger: pino(logSettings(level), { write: (line) => lines.push(line) }) })
  return { lines, send }
}

test('the cause of an internal error is in the log with the request id, and nowhere else', async () => {
  const { lines, send } = await logged('info')
  const answer = await send('GET', '/fail?q=hunter2', { headers: { 'x-request-id': 'r-1' } })
  assert.doesNotMatch(answer.text, /moon/)
  const line = lines.find((each) => each.includes('request failed')) ?? ''
  assert.match(line, /"reqId":"r-1"/)
  assert.match(line, /broken pipe to the moon.*the reason/)
  assert.doesNotMatch(lines.join(''), /hunter2/)
})

test('credentials are redacted even when a handler logs all headers', async () => {
  const { lines, send } = await logged('info')
  await send('GET', '/careless', { headers: { cookie: 'session=hunter2' } })
  const text = lines.join('')
  assert.match(text, /careless/)
  assert.doesNotMatch(text, /hunter2/)
  assert.ok(!text.includes(CREDENTIAL))
})

test('requests have a line at debug, without their query, and none at info', async () => {
  const quiet = await logged('info')
  await quiet.send('GET', '/careless')
  assert.doesNotMatch(quiet.lines.join(''), /"msg":"request"/)
  const { lines, send } = await logged('debug')
  await send('GET', '/nowhere?q=hunter2')
  assert.match(lines.join(''), /"method":"GET","path":"\/nowhere","status":404/)
  assert.doesNotMatch(lines.join(''), /hunter2/)
})

test('a secret path is logged as its route, and other paths as they came', async () => {
  const { lines, send } = await logged('debug')
  for (const path of ['/oauth/authorize/hunter2', '/oauth/%61uthorize/hunter2', '/things/7', '/nowhere/7']) {
    await send('GET', path)
  }
  // No route has these paths.
  await send('POST', '/oauth/authorize/hunter2')
  await send('GET', '/oauth/authorize/hunter2/more')
  assert.doesNotMatch(lines.join(''), /hunter2/)
  const paths = lines.map((line) => (JSON.parse(line) as { path?: string }).path).filter((path) => path !== undefined)
  const opening = '/oauth/authorize/:uid'
  assert.deepEqual(paths, [opening, opening, '/things/7', '/nowhere/7', opening, opening])
})

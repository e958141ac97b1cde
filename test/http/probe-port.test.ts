import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HEALTHY } from '../../src/platform/http/health.ts'
import { ProbePort } from '../../src/platform/http/probe-port.ts'
import { freePort } from '../support/free-port.ts'
import { send } from '../support/send.ts'

const TOKEN = 'a-token-of-metrics-readers'

/** Opens a port for probes that closes with the test. */
async function opened(t: { after(end: () => Promise<void>): void }, token: string | null, text = async () => 'up 1\n') {
  const port = await freePort()
  const probes = new ProbePort({ port, host: '127.0.0.1' }, { contentType: 'text/plain', metrics: text, token })
  await probes.open()
  t.after(() => probes.close())
  const ask = async (path: string, authorization?: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: authorization === undefined ? {} : { authorization },
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }
  return { probes, ask, port }
}

test('the port of probes says that the process lives, what it lacks, and nothing else', async (t) => {
  const { probes, ask } = await opened(t, null)
  assert.deepEqual(JSON.parse((await ask('/healthz')).text), HEALTHY)
  const starting = await ask('/readyz')
  assert.deepEqual([starting.status, starting.headers.get('retry-after')], [503, '1'])
  assert.deepEqual(JSON.parse(starting.text), { status: 'not_ready', missing: ['database'] })
  probes.watch(() => Promise.reject(new Error('secret')))
  assert.match((await ask('/readyz')).text, /readiness check failed/)
  probes.watch(() => Promise.resolve([]))
  const ready = await ask('/readyz?verbose')
  assert.deepEqual([ready.status, JSON.parse(ready.text)], [200, { status: 'ready', missing: [] }])
  for (const path of ['/', '/console', '/api/knowledge/knowledge-entries']) {
    const other = await ask(path)
    assert.deepEqual([other.status, JSON.parse(other.text).detail[0].type], [404, 'not_found'], path)
  }
})

test('the port of probes gives metrics to those who send the token, where there is one', async (t) => {
  const open = await opened(t, null)
  assert.deepEqual([(await open.ask('/metrics')).status, (await open.ask('/metrics')).text], [200, 'up 1\n'])
  const { ask } = await opened(t, TOKEN)
  for (const authorization of [undefined, '', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`]) {
    const refused = await ask('/metrics', authorization)
    assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'], String(authorization))
    assert.doesNotMatch(refused.text, /up 1/)
  }
  assert.equal((await ask('/metrics', `Bearer ${TOKEN}`)).text, 'up 1\n')
})

test('metrics are compressed for readers that accept it', async (t) => {
  const page = 'up 1\n'.repeat(1_000)
  const { port } = await opened(t, null, async () => page)
  const read = async (accepted: string) => {
    const { headers, text } = await send(`http://127.0.0.1:${port}/metrics`, {
      method: 'GET',
      headers: accepted === '' ? {} : { 'accept-encoding': accepted },
    })
    return [headers.get('content-encoding'), headers.get('vary'), text === page]
  }
  for (const accepted of ['gzip', 'zstd, gzip;q=0.5', 'GZIP']) {
    assert.deepEqual(await read(accepted), ['gzip', 'Accept-Encoding', true], accepted)
  }
  for (const accepted of ['', 'br', 'gzip;q=0', 'gzip; q=0.0', 'xgzip']) {
    assert.deepEqual(await read(accepted), [null, 'Accept-Encoding', true], accepted)
  }
})

test('metrics that cannot be read fail with 503, and the port lives on', async (t) => {
  const { ask } = await opened(t, null, () => Promise.reject(new Error('secret')))
  const failed = await ask('/metrics')
  assert.equal(failed.status, 503)
  assert.doesNotMatch(failed.text, /secret/)
  assert.equal((await ask('/healthz')).status, 200)
})

test('the port of probes can be closed more than once, and opened again', async (t) => {
  const { probes, ask } = await opened(t, null)
  await probes.open()
  await Promise.all([probes.close(), probes.close()])
  await assert.rejects(ask('/healthz'))
  await probes.open()
  assert.equal((await ask('/healthz')).status, 200)
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { readConfig } from '../../../config.ts'
import { askService, valuesOf } from './running-service.ts'

test('a metric is read with and without labels, and no other whose name only begins the same', () => {
  const page = [
    '# HELP backup_interval_seconds How often',
    'backup_interval_seconds 86400',
    'backup_interval_seconds_total 7',
    'search_index_behind{process="1"} 1',
    'search_index_behind{process="2"} 2',
    'search_index_behind_seconds{process="1"} 11.5',
  ].join('\n')
  assert.deepEqual(valuesOf(page, 'backup_interval_seconds'), [86_400])
  assert.deepEqual(valuesOf(page, 'search_index_behind'), [1, 2])
  assert.deepEqual(valuesOf(page, 'backup_missing'), [])
})

test('a service that keeps its metrics to itself is told from one that does not run', async (t) => {
  const token = 'token-of-the-metrics-page'
  const open = async (answer: (authorization: string | undefined) => [number, string]) => {
    const server = createServer(({ headers }, response) => {
      const [status, body] = answer(headers.authorization)
      response.writeHead(status).end(body)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const end = () => new Promise((resolve) => server.close(resolve))
    t.after(end)
    return { port: (server.address() as AddressInfo).port, end }
  }
  const main = await open(() => [404, 'not found'])
  const probes = await open((sent) => (sent === `Bearer ${token}` ? [200, 'up 1'] : [401, 'no']))
  const ask = (env: Readonly<Record<string, string>>) => askService(readConfig({ PORT: String(main.port), ...env }))
  const probePort = { PROBE_PORT: String(probes.port) }
  assert.equal((await ask({ ...probePort, METRICS_TOKEN: token })).metrics, 'up 1')
  const said = async (env: Readonly<Record<string, string>>) => (await ask(env)).refusal
  assert.match((await said({}))!, /has no metrics there \(status 404\): give the doctor PROBE_PORT and METRICS_TOKEN/)
  assert.match((await said(probePort))!, /only for a token: give the doctor METRICS_TOKEN/)
  assert.match(
    (await said({ ...probePort, METRICS_TOKEN: `not-${token}` }))!,
    /refuses the METRICS_TOKEN of this shell/,
  )
  await probes.end()
  assert.match((await said(probePort))!, new RegExp(`:${main.port} answers, and has no metrics there`))
  await main.end()
  assert.deepEqual(await ask({}), { address: `http://127.0.0.1:${main.port}`, metrics: null, refusal: null })
})

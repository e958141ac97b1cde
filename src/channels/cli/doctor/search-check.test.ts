import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { readConfig } from '../../../config.ts'
import { checkSearch } from './search-check.ts'

/** Checks a service that answers `/metrics` with a page. */
async function checked(t: TestContext, page: string) {
  const server = createServer((_request, response) => response.end(page)).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const end = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  t.after(end)
  return { check: () => checkSearch(readConfig({ PORT: String(port) })), end }
}

test('the doctor tells how far the indexes of all processes of a running service are behind', async (t) => {
  const page = [
    'search_index_documents_behind{process="1"} 1000',
    'search_index_documents_behind{process="2"} 200',
    'search_index_behind{process="1"} 1',
    'search_index_behind{process="2"} 1',
    'search_index_behind_seconds{process="1"} 11.5',
    'search_index_behind_seconds{process="2"} 3',
    'search_index_building{process="1"} 0',
    'search_index_building{process="2"} 1',
    'search_index_built_percent{process="1"} 100',
    'search_index_built_percent{process="2"} 40',
  ].join('\n')
  const text =
    'indexes of the running service: 1200 documents behind for 12 s: being built (40 percent) and reading texts'
  assert.deepEqual(await (await checked(t, page)).check(), { verdict: 'ok', text })
  const long = await (await checked(t, page.replace('11.5', '75'))).check()
  assert.equal(long.verdict, 'warn')
  assert.match(long.text, /1200 documents behind for 75 s: .*look at the search thread and at the database$/)
})

test('the doctor says where to look when no service tells how far search is behind', async (t) => {
  const other = await checked(t, 'hello')
  const { verdict, text } = await other.check()
  assert.equal(verdict, 'warn')
  assert.match(text, /^http:\/\/127\.0\.0\.1:\d+ does not tell .*: give the doctor PROBE_PORT and METRICS_TOKEN/)
  await other.end()
  const none = await other.check()
  assert.deepEqual([none.verdict, none.text.includes('GET /api/operator/status')], ['ok', true])
  assert.match((await checkSearch(readConfig({ PORT: '0' }))).text, /GET \/api\/operator\/status/)
})

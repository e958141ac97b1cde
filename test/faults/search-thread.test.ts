import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceProcess } from '../durability/service-process.ts'
import { DATABASES } from '../support/databases.ts'
import { found } from '../support/patience.ts'

type Answer = Awaited<ReturnType<ServiceProcess['call']>>

const ENTRIES = '/api/knowledge/knowledge-entries'

test('a service whose search thread keeps ending says so, is not ready, and answers everything else', async (t) => {
  // One database is enough: this concerns only the search thread.
  const place = await DATABASES[0].create()
  const fault = new URL('no-search-thread.ts', import.meta.url).href
  const service = await ServiceProcess.start(place, { NODE_OPTIONS: `--import=${fault}` })
  t.after(async () => {
    await service.kill()
    await place.remove()
  })
  // A look at the moment in which the thread ends for the last time finds only that search fails.
  const isKnown = ({ status, body }: Answer): boolean => status === 503 && body.missing[0] !== 'search'
  const readiness = await until(service, '/readyz', isKnown)
  assert.deepEqual(readiness.body, { status: 'not_ready', missing: ['search thread'] })
  assert.ok(Number(readiness.headers.get('retry-after')) > 0)
  const { body: category } = await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
  const entry = { title: 'Lamp', content: 'It gives light.', category_id: category.id }
  assert.equal((await service.call('POST', ENTRIES, { body: entry })).status, 201)
  assert.equal((await service.call('GET', `${ENTRIES}?limit=1`)).body.length, 1)
  const search = await service.call('POST', `${ENTRIES}/search`, { body: { query: 'lamp' } })
  assert.deepEqual([search.status, search.body.detail[0].type], [503, 'unavailable'])
  const { body: metrics } = await until(service, '/metrics', ({ body }) =>
    /thread_down\{thread="search"\} 1/.test(body),
  )
  assert.match(metrics, /^thread_down\{thread="embedding"\} 0$/m)
  assert.match(metrics, /^thread_restarts_total\{thread="search"\} [1-9]/m)
  assert.match(metrics, /^thread_restarts_total\{thread="log"\} 0$/m)
  assert.equal((await service.stop()).code, 0)
  assert.match(service.output, /no search thread in this test/)
  assert.match(service.output, /the search thread ended and is started again/)
})

const postgres = DATABASES.find(({ name }) => name === 'PostgreSQL')

test('a service whose searches get no connection to PostgreSQL is not ready', { skip: !postgres }, async (t) => {
  const place = await postgres!.create()
  const fault = new URL('no-search-database.ts', import.meta.url).href
  const service = await ServiceProcess.start(place, { NODE_OPTIONS: `--import=${fault}` })
  t.after(async () => {
    await service.kill()
    await place.remove()
  })
  const { body: category } = await service.call('POST', '/api/knowledge/categories', { body: { name: 'One' } })
  const entry = { title: 'Lamp', content: 'It gives light.', category_id: category.id }
  assert.equal((await service.call('POST', ENTRIES, { body: entry })).status, 201)
  assert.equal((await service.call('POST', `${ENTRIES}/search`, { body: { query: 'lamp' } })).status, 503)
  const readiness = await service.call('GET', '/readyz')
  assert.deepEqual([readiness.status, readiness.body], [503, { status: 'not_ready', missing: ['search'] }])
})

/** Polls until the condition holds, because the thread is restarted from time to time. */
async function until(
  service: ServiceProcess,
  path: string,
  isWanted: (answer: Answer) => boolean,
): ReturnType<ServiceProcess['call']> {
  let last = ''
  return found(
    async () => {
      const answer = await service.call('GET', path)
      last = JSON.stringify(answer.body)
      return isWanted(answer) ? answer : null
    },
    () => `${path} is as wanted: ${last}`,
  )
}

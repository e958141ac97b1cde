import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { logSettings } from '../../src/platform/http/logger.ts'
import { type Service, startService } from '../../src/server.ts'
import { Provider } from '../embedding/provider.ts'
import { onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'
import { found, until } from '../support/patience.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PROVIDER_MS = 40

interface Line {
  readonly msg: string
  readonly route: string
  readonly tenantId: string
  readonly credentialId: string
  readonly spent: Readonly<Record<string, number>>
}

onAnyDatabase('the request log of a service', (kind) => {
  let place: TestDatabase
  let provider: Provider
  let service: Service
  let written: string[]
  let key: string

  before(async () => {
    provider = await Provider.start()
    place = await kind.createMigrated()
    written = []
    const settings = { ...provider.settings('model-a'), REQUEST_LOG_PERCENT: '100', SLOW_REQUEST_MS: '20' }
    const logger = pino(logSettings('info'), { write: (line) => written.push(line) })
    service = await startService(testConfig(place, settings), logger)
    ;({ key } = service.created!)
  })
  after(async () => {
    await service.stop()
    await provider.stop()
    await place.remove()
  })

  const post = (path: string, body: object) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const lines = () => written.map((line) => JSON.parse(line) as Line)
  const slowOn = (route: string): Promise<Line> =>
    found(
      () => lines().find((line) => line.msg === 'slow request' && line.route === route),
      `a slow request on ${route} is logged`,
    )

  test('a search that waits for the embedding provider says so, by tenant, credential and route', async () => {
    const category = (await (await post('/api/knowledge/categories', { name: 'General' })).json()) as { id: string }
    await post(ENTRIES, { title: 'Heron', content: 'the hunter2 heron', category_id: category.id })
    const vectors = `${service.url}/api/knowledge/embedding-status`
    const headers = { authorization: `Bearer ${key}` }
    await until(async () => {
      const { items, embedded } = (await (await fetch(vectors, { headers })).json()) as Record<string, number>
      return items === embedded
    }, 'the entry has its vector')
    provider.delayMs = PROVIDER_MS
    assert.equal((await post(`${ENTRIES}/search`, { query: 'hunter2 heron', mode: 'hybrid' })).status, 200)
    const { tenantId, credentialId, spent } = await slowOn(`${ENTRIES}/search`)
    assert.equal(tenantId, 'default')
    assert.match(credentialId, /^[0-9a-f-]{36}$/)
    assert.ok(spent.embeddingMs >= PROVIDER_MS - 5, `embedding took ${spent.embeddingMs}`)
    assert.ok(spent.searchMs > 0)
    assert.ok(spent.statements >= 1 && spent.databaseMs > 0)
  })

  test('neither keys nor what people wrote and searched for is in the log', () => {
    const text = written.join('')
    assert.match(text, /"msg":"(?:slow )?request"/)
    assert.ok(!text.includes(key))
    assert.doesNotMatch(text, /hunter2/)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import type { Service } from '../../src/server.ts'
import { samplesOf } from '../monitoring/samples.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { Provider } from './provider.ts'
import { call, ENTRIES, reached, search, Stage } from './stage.ts'

const QUERY = 'heron'

onAnyDatabase('a provider that hangs', (kind) => {
  let stage: Stage
  let provider: Provider
  let service: Service
  let operatorKey: string

  before(async () => {
    provider = await Provider.start()
    stage = await Stage.open(kind)
    service = await stage.start(provider.settings('model-a'))
    operatorKey = (await issueOperator(stage.database, { name: 'Script', expiresAt: null })).key
    await stage.create(service, 'Bird', 'the heron stands in the water')
    await reached(service, ({ items, embedded }) => items === embedded)
  })
  after(async () => {
    await stage.close()
    await provider.stop()
  })

  const statuses = async () => {
    const [ofTenant, ofAll] = await Promise.all([
      call(service, 'GET', '/api/knowledge/status'),
      call(service, 'GET', '/api/operator/status', undefined, operatorKey),
    ])
    return [
      { since: ofTenant.body.embedding.provider_failing_since, warnings: ofTenant.body.warnings as string[] },
      { since: ofAll.body.embedding.provider_failing_since, warnings: ofAll.body.warnings as string[] },
    ]
  }
  const failingSeconds = async () => (await samplesOf(service.url)).get('embedding_provider_failing_seconds')!

  test('holds up no search by words, whose hits then have no similarity, and is not asked by it', async () => {
    const release = provider.hold(() => true)
    const asked = provider.texts.length
    const mode = 'keyword'
    const searches: readonly (readonly [path: string, request: object])[] = [
      [`${ENTRIES}/search`, { mode }],
      ['/api/knowledge/products/search', { mode }],
      ['/api/knowledge/search', { sections: ['knowledge', 'products'], mode }],
    ]
    for (const [path, request] of searches) {
      const answer = await call(service, 'POST', path, { query: QUERY, ...request })
      assert.deepEqual([answer.status, answer.headers.get('x-search-degraded')], [200, null], path)
    }
    const { body } = await search(service, QUERY, 'keyword')
    assert.deepEqual([body.length, body[0].similarity], [1, 0])
    assert.equal(provider.texts.length, asked)
    const byMeaning = search(service, QUERY, 'semantic')
    await until(() => provider.texts.length > asked, 'the provider is asked for the query by meaning')
    release()
    assert.ok((await byMeaning).body[0].similarity > 0)
  })

  test('is asked by a search by words that drops hits by their similarity', async () => {
    const request = { query: QUERY, mode: 'keyword' }
    const near = await call(service, 'POST', `${ENTRIES}/search`, { ...request, min_similarity: 0.1 })
    assert.equal(near.body.length, 1)
    assert.ok(near.body[0].similarity > 0.1)
    const none = await call(service, 'POST', `${ENTRIES}/search`, { ...request, min_similarity: 1 })
    assert.deepEqual(none.body, [])
  })

  test('shows in both statuses and in the metrics, and its return too', async () => {
    for (const { since, warnings } of await statuses()) {
      assert.equal(since, null)
      assert.deepEqual(
        warnings.filter((text) => text.includes('provider')),
        [],
      )
    }
    assert.equal(await failingSeconds(), 0)
    // To the service, an answer that says "overloaded" is the same as none, only sooner.
    provider.isDown = true
    await stage.create(service, 'Boat', 'the boat lies in the harbour')
    await reached(service, ({ failing }) => failing === 1)
    assert.equal((await search(service, QUERY, 'semantic')).status, 200)
    assert.equal((await search(service, `${QUERY} new`, 'semantic')).status, 503)
    for (const { since, warnings } of await statuses()) {
      assert.ok(Date.parse(since) <= Date.now())
      const ofProvider = warnings.filter((text) => text.includes('provider'))
      assert.equal(ofProvider.length, 1, warnings.join('\n'))
      assert.match(
        ofProvider[0],
        new RegExp(`^The embedding provider has given no vectors since ${since}, and 1 text waits`),
      )
    }
    await until(async () => (await failingSeconds()) > 0, 'the metric tells for how long')
    provider.isDown = false
    await until(
      async () => (await search(service, `${QUERY} new`, 'semantic')).status === 200,
      'the provider answers again',
    )
    for (const { since } of await statuses()) assert.equal(since, null)
    await until(async () => (await failingSeconds()) === 0, 'the metric tells of the return')
  })
})

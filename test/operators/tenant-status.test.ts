import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { checkSearch } from '../../src/channels/cli/doctor/search-check.ts'
import { readConfig } from '../../src/config.ts'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import { eventually, samplesOf } from '../monitoring/samples.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PAGES = 100
const UP_TO_DATE = {
  documents_behind: 0,
  indexes_behind: 0,
  behind_seconds: 0,
  indexes_building: 0,
  built_percent: 100,
}

onAnyDatabase('the status of a tenant', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind, { SEARCH_MEMORY_MB: '64', SEARCH_MEMORY_PER_TENANT_MB: '16' })
  })
  after(() => service.stop())

  test('its administrators see its own indexes and progress, and nothing of another tenant', async () => {
    await service.tenant('other')
    const { key } = await service.user({ tenant: 'other', email: 'admin@other.example' })
    const body = { title: 'Leuchtturm', content: 'Am Meer', category_id: await service.category() }
    await service.call('POST', ENTRIES, { body })
    await service.call('POST', `${ENTRIES}/search`, { body: { query: 'Leuchtturm', mode: 'keyword' } })
    const statusOf = async (own: string) => (await service.call('GET', '/api/knowledge/status', { key: own })).body
    const { embedding, search, warnings } = await statusOf(service.adminKey)
    assert.deepEqual([search.indexes, search.documents, search.bytes_max], [1, 1, 16 * 1_024 * 1_024])
    assert.deepEqual([embedding.items, embedding.embedded, warnings], [1, 1, []])
    const other = await statusOf(key)
    assert.deepEqual([other.search.documents, other.search.bytes, other.embedding.items], [0, 0, 0])
    const reader = await service.user({ email: 'reader@example.com', role: 'reader' })
    assert.equal((await service.call('GET', '/api/knowledge/status', { key: reader.key })).status, 403)
  })

  test('tells how far the index is behind while an import goes on, and the operator reads it of all tenants', async () => {
    await service.tenant('feeding')
    const { key } = await service.user({ tenant: 'feeding', email: 'admin@feeding.example' })
    const operator = await issueOperator(service.database, { name: 'Script', expiresAt: null })
    const category_id = await service.category('One', key)
    const content = Array.from({ length: 2_500 }, (_, i) => `wort${i}`).join(' ')
    const body = Array.from({ length: PAGES }, (_, n) => JSON.stringify({ title: `Seite ${n}`, content, category_id }))
    const lagOf = async (own: string, path = '/api/knowledge/status') => {
      const { search } = (await service.call('GET', path, { key: own })).body
      return Object.fromEntries(Object.keys(UP_TO_DATE).map((field) => [field, search[field]])) as typeof UP_TO_DATE
    }
    const ofAll = () => lagOf(operator.key, '/api/operator/status')
    let isOver = false
    const headers = { 'content-type': 'application/x-ndjson' }
    const push = service
      .call('POST', `${ENTRIES}/bulk`, { key, body: body.join('\n'), headers })
      .finally(() => (isOver = true))
    const lags: (typeof UP_TO_DATE)[] = []
    await until(async () => {
      const lag = await lagOf(key)
      lags.push(lag, await ofAll())
      return isOver && lag.indexes_behind === 0
    }, 'the index has what was pushed')
    assert.equal((await push).status, 200)
    const behind = lags.filter((lag) => lag.documents_behind > 0)
    assert.ok(behind.length > 0, 'the index was never behind')
    for (const { indexes_behind: indexes, behind_seconds: seconds, built_percent: percent } of behind)
      assert.ok(indexes > 0 && seconds >= 0 && percent >= 0 && percent <= 100)
    // Vectors come later, and are text to an index.
    await until(async () => (await lagOf(key)).indexes_behind + (await ofAll()).indexes_behind === 0, 'all is there')
    assert.deepEqual(await lagOf(service.adminKey), UP_TO_DATE)
  })

  test('the metrics have the same, and the doctor reads them', async () => {
    const { url } = service.service
    const figures = { documents_behind: 0, behind: 0, behind_seconds: 0, building: 0, built_percent: 100 }
    // Vectors come later than entries, and are changes of an index like others.
    const all = await eventually(
      url,
      (samples) => Object.entries(figures).every(([name, value]) => samples.get(`search_index_${name}`) === value),
      'the metrics say that the indexes are up to date',
    )
    assert.ok(all.has('search_behind_total'))
    const said = async () => (await checkSearch(readConfig({ PORT: new URL(url).port }))).text
    await until(async () => (await said()) === 'indexes of the running service: up to date', 'the doctor says so')
  })

  test('answers without the latest texts are counted', async (t) => {
    const impatient = await service.sibling({ SEARCH_FRESH_WAIT_MS: '0' })
    t.after(() => impatient.stop())
    const category_id = await service.category('Impatient')
    const search = { body: { query: 'Lampe', mode: 'keyword' } }
    const answered = () => service.call('POST', `${ENTRIES}/search`, search, impatient.url)
    assert.equal((await answered()).status, 200)
    const behind: string[] = []
    await until(async () => {
      await service.call('POST', ENTRIES, { body: { title: 'Lampe', content: 'Licht', category_id } })
      behind.push((await answered()).headers.get('x-search-behind') ?? '')
      return behind.at(-1) !== ''
    }, 'an answer lacks a text')
    assert.match(behind.at(-1) ?? '', /^[1-9]\d*$/)
    assert.equal((await samplesOf(impatient.url)).get('search_behind_total'), 1)
  })
})

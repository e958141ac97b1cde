import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

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
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect, use } from '../mcp/assistant.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { type Answer, TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const PRODUCTS = '/api/knowledge/products'
const TINY = { SEARCH_MEMORY_MB: '16', SEARCH_MEMORY_PER_TENANT_MB: '1' }
const MODES = ['keyword', 'semantic', 'hybrid']

/** Returns words that no other number gives, so many that an index exceeds its bound even without their vectors. */
function words(n: number): string {
  return Array.from({ length: 3_000 }, (_, i) => `x${n.toString(36)}y${i.toString(36)}`).join(' ')
}

onAnyDatabase('a tenant whose search indexes are over their bound', (kind) => {
  let service: TestService
  let key: string
  let category: string
  let entry: string
  let product: string

  before(async () => {
    service = await TestService.start(kind, TINY)
    await service.judgeAnswers()
    await service.tenant('other')
    key = (await service.user({ tenant: 'other', email: 'other@example.com' })).key
    const mine = { title: 'Lampe', content: 'Sie leuchtet.', category_id: await service.category('One', key) }
    assert.equal((await service.call('POST', ENTRIES, { key, body: mine })).status, 201)
    category = await service.category()
    for (let n = 0; n < 12; n++) {
      const body = { title: `Lampe ${n}`, content: words(n), category_id: category }
      entry = (await service.call('POST', ENTRIES, { body })).body.id
      const offer = { title: `Lampe ${n}`, language: 'de', external_id: `${n}`, description: words(n) }
      product = (await service.call('POST', `${PRODUCTS}?site_id=default`, { body: offer })).body.id
    }
  })
  after(() => service.stop())

  const refused = ({ status, headers, body }: Answer): void => {
    assert.equal(status, 507, JSON.stringify(body).slice(0, 200))
    const seconds = Number(headers.get('retry-after'))
    assert.ok(seconds > 30 && seconds <= 60, `${seconds} s`)
    assert.deepEqual(Object.keys(body), ['detail'])
    const [{ loc, msg, type }] = body.detail
    assert.deepEqual([loc, type], [[], 'search_capacity'])
    assert.match(msg, /^Search index needs more memory than this tenant may use/)
  }

  test('is told so by its status, while another tenant reads nothing of it', async () => {
    await service.call('POST', `${ENTRIES}/search`, { body: { query: 'Lampe' } })
    await service.call('POST', `${ENTRIES}/search`, { key, body: { query: 'Lampe' } })
    const statusOf = async (own: string) => (await service.call('GET', '/api/knowledge/status', { key: own })).body
    const own = await statusOf(service.adminKey)
    assert.equal(own.search.refused, 1)
    assert.match(own.warnings.join(), /has no room/)
    const other = await statusOf(key)
    assert.deepEqual([other.search.refused, other.warnings], [0, []])
  })

  test('gets 507 for every kind of search, with the seconds to wait', async () => {
    for (const mode of MODES) {
      refused(await service.call('POST', `${ENTRIES}/search`, { body: { query: 'Lampe', mode } }))
      refused(await service.call('POST', `${PRODUCTS}/search`, { body: { query: 'Lampe', mode } }))
    }
    refused(await service.call('GET', `${ENTRIES}/${entry}/related`))
    refused(await service.call('GET', `${PRODUCTS}/${product}/similar`))
    refused(await service.call('GET', '/api/knowledge/suggest?q=Lam'))
    refused(await service.call('GET', '/api/knowledge/suggest?q=Lam&section=knowledge'))
    refused(await service.call('POST', '/api/knowledge/search', { body: { query: 'Lampe' } }))
  })

  test('tells an assistant what happened and when to try again', async () => {
    const client = await connect(service, service.adminKey)
    for (const tool of ['search_knowledge', 'search_products']) {
      const { isError, text } = await use(client, tool, { query: 'Lampe' })
      assert.equal(isError, true)
      assert.match(text, /needs more memory than this tenant may use.* Try again in \d+ s\.$/)
    }
    await client.close()
  })

  test('reads, lists and writes as before', async () => {
    assert.equal((await service.call('GET', `${ENTRIES}/${entry}`)).status, 200)
    assert.equal((await service.call('GET', ENTRIES)).body.length, 12)
    assert.equal((await service.call('GET', `${PRODUCTS}/${product}`)).status, 200)
    const body = { title: 'Neu', content: 'Kurz.', category_id: category }
    assert.equal((await service.call('POST', ENTRIES, { body })).status, 201)
  })

  test('takes nothing from another tenant’s searches', async () => {
    for (const mode of MODES) {
      const { status, body } = await service.call('POST', `${ENTRIES}/search`, { key, body: { query: 'Lampe', mode } })
      assert.deepEqual([status, body.length], [200, 1])
    }
    const { body: metrics } = await service.call('GET', '/metrics')
    assert.match(metrics, /^search_index_refusals_total\{reason="tenant"\} 2$/m)
    assert.match(metrics, /^search_index_refused 2$/m)
    // Indexes of the first tenant may be there too: they are begun beside its writes, before a search asks for them.
    const { body: status } = await service.call('GET', '/api/knowledge/status', { key })
    assert.deepEqual([status.search.indexes, status.search.documents], [1, 1])
  })
})

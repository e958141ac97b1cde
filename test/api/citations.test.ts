import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CATEGORIES = '/api/knowledge/categories'

onEachDatabase('what an entry is cited by', (kind) => {
  let service: TestService
  let top: string
  let below: string

  before(async () => {
    service = await TestService.start(kind)
    top = await service.category('Handbücher')
    below = (await service.call('POST', CATEGORIES, { body: { name: 'Ein/Ausgabe', parent_id: top } })).body.id
  })
  after(() => service.stop())

  const create = async (fields: Record<string, unknown>) => {
    const body = { title: 'Drucker einrichten', content: 'Kabel, Strom, Papier.', category_id: below, ...fields }
    const { status, body: entry } = await service.call('POST', ENTRIES, { body })
    assert.equal(status, 201, JSON.stringify(entry))
    return entry
  }

  test('entries answer the path of their category when they are asked for it, and only then', async () => {
    const { id } = await create({ layer: 'paths' })
    const path = ['Handbücher', 'Ein/Ausgabe']
    const asked = { query: 'Drucker einrichten', layer: 'paths', include_category_path: true }
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const { body: hits } = await service.call('POST', `${ENTRIES}/search`, { body: { ...asked, mode } })
      assert.deepEqual([hits[0].entry.id, hits[0].entry.category_path, hits[0].explanation], [id, path, undefined])
      const plain = { ...asked, mode, include_category_path: false }
      const { body: without } = await service.call('POST', `${ENTRIES}/search`, { body: plain })
      assert.ok(!('category_path' in without[0].entry))
      const { category_path: _path, ...entry } = hits[0].entry
      assert.deepEqual({ ...hits[0], entry }, without[0])
    }
    const { body: read } = await service.call('GET', `${ENTRIES}/${id}?include_category_path=true`)
    assert.deepEqual(read.category_path, path)
    assert.ok(!('category_path' in (await service.call('GET', `${ENTRIES}/${id}`)).body))
    const { body: list } = await service.call('GET', `${ENTRIES}?layer=paths&include_category_path=true`)
    assert.deepEqual(list[0].category_path, path)
    await service.call('PATCH', `${CATEGORIES}/${top}`, { body: { name: 'Anleitungen' } })
    const { body: renamed } = await service.call('POST', `${ENTRIES}/search`, { body: asked })
    assert.deepEqual(renamed[0].entry.category_path, ['Anleitungen', 'Ein/Ausgabe'])
    await service.call('PATCH', `${CATEGORIES}/${top}`, { body: { name: 'Handbücher' } })
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CATEGORIES = '/api/knowledge/categories'

onEachDatabase('what an entry is cited by', (kind) => {
  let service: TestService
  let top: string
  let below: string

  before(async () => {
    service = await joinService(kind)
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
    const request = { query: 'Drucker einrichten', layer: 'paths', include_category_path: true }
    for (const mode of ['semantic', 'keyword', 'hybrid']) {
      const { body: hits } = await service.call('POST', `${ENTRIES}/search`, { body: { ...request, mode } })
      assert.deepEqual([hits[0].entry.id, hits[0].entry.category_path, hits[0].explanation], [id, path, undefined])
      const plain = { ...request, mode, include_category_path: false }
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
    const { body: renamed } = await service.call('POST', `${ENTRIES}/search`, { body: request })
    assert.deepEqual(renamed[0].entry.category_path, ['Anleitungen', 'Ein/Ausgabe'])
    await service.call('PATCH', `${CATEGORIES}/${top}`, { body: { name: 'Handbücher' } })
  })

  test('an entry may have the address of its page, which reads, lists, hits and versions answer', async () => {
    const url = 'https://example.com/handbuch/drucker?seite=1#kabel'
    const linked = await create({ url, layer: 'published' })
    assert.equal(linked.url, url)
    const bare = await create({ layer: 'published', title: 'Ohne Seite' })
    assert.ok(!('url' in bare))
    const search = async (explain: boolean) => {
      const body = { query: 'Drucker einrichten', layer: 'published', mode: 'hybrid', explain }
      const { body: hits } = await service.call('POST', `${ENTRIES}/search`, { body })
      return hits.map(({ entry }: { entry: { id: string; url?: string } }) => [entry.id, entry.url])
    }
    for (const explain of [false, true]) assert.deepEqual(new Map(await search(explain)).get(linked.id), url)
    const { body: list } = await service.call('GET', `${ENTRIES}?layer=published`)
    assert.deepEqual(
      list.map((entry: { url?: string }) => entry.url),
      [undefined, url],
    )
    const { body: moved } = await service.call('PATCH', `${ENTRIES}/${linked.id}`, {
      body: { url: 'http://example.org/' },
    })
    assert.deepEqual([moved.version, moved.url], [2, 'http://example.org/'])
    assert.equal((await service.call('GET', `${ENTRIES}/${linked.id}/versions/1`)).body.url, url)
    assert.deepEqual(new Map(await search(false)).get(linked.id), 'http://example.org/')
    const { body: gone } = await service.call('PATCH', `${ENTRIES}/${linked.id}`, { body: { url: null } })
    assert.ok(!('url' in gone))
    assert.equal((await service.call('GET', `${ENTRIES}/${linked.id}/versions/2`)).body.url, 'http://example.org/')
  })

  test('only an http or https address is accepted', async () => {
    for (const url of ['javascript:alert(1)', 'example.com', `https://example.com/${'x'.repeat(2_000)}`, 5]) {
      const body = { title: 'x', content: 'x', category_id: below, url }
      const { status, body: answer } = await service.call('POST', ENTRIES, { body })
      assert.deepEqual([status, answer.detail[0].loc], [422, ['body', 'url']], String(url).slice(0, 40))
    }
  })

  test('a bulk that says nothing of an address leaves it, and null removes it', async () => {
    const line = { title: 'Bulk', content: 'Text', category_id: below, source_reference: 'bulk/1' }
    const push = async (fields: Record<string, unknown>) => {
      const body = JSON.stringify({ ...line, ...fields })
      const headers = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/x-ndjson' }
      const answer = await fetch(`${service.service.url}${ENTRIES}/bulk`, { method: 'POST', headers, body })
      const { id, status } = (await answer.json()) as { id: string; status: string }
      return [status, (await service.call('GET', `${ENTRIES}/${id}`)).body.url]
    }
    assert.deepEqual(await push({ url: 'https://example.com/1' }), ['created', 'https://example.com/1'])
    assert.deepEqual(await push({}), ['unchanged', 'https://example.com/1'])
    assert.deepEqual(await push({ content: 'Neu' }), ['updated', 'https://example.com/1'])
    assert.deepEqual(await push({ url: null, content: 'Neu' }), ['updated', undefined])
  })
})

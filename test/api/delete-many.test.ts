import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const BASE = '/api/knowledge/knowledge-entries'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onEachDatabase('entries that are read and deleted by their reference or by a filter', (kind) => {
  let service: TestService
  let category: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category()
  })
  after(() => service.stop())

  const create = async (fields: object = {}, path = BASE, key = service.adminKey): Promise<{ id: string }> => {
    const body = { title: 'A title', content: 'Some content', category_id: category, ...fields }
    const answer = await service.call('POST', path, { key, body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  const bySource = (query: Record<string, string>, method = 'GET', headers = {}, key = service.adminKey) =>
    service.call(method, `${BASE}/by-source?${new URLSearchParams(query).toString()}`, { headers, key })
  const listed = async (query: string): Promise<string[]> =>
    (await service.call('GET', `${BASE}?${query}`)).body.map(({ id }: { id: string }) => id)
  const removeMany = (body: object, key = service.adminKey) =>
    service.call('POST', `${BASE}/bulk-delete`, { body, key })

  test('an entry is read by source and reference, and the list filters by both', async () => {
    const reference = 'https://example.org/a?b=c&d=ä'
    const page = await create({ source: 'import', source_reference: reference })
    const talk = await create({ source: 'conversational', source_reference: reference })
    const read = await bySource({ source: 'import', source_reference: reference })
    assert.deepEqual([read.status, read.body, read.headers.get('etag')], [200, page, '"1"'])
    assert.equal((await bySource({ source: 'conversational', source_reference: reference })).body.id, talk.id)
    assert.equal((await bySource({ source_reference: reference })).body.id, page.id)
    const none = await bySource({ source: 'system', source_reference: reference })
    const detail = [{ loc: ['query', 'source_reference'], msg: 'Entry not found', type: 'not_found' }]
    assert.deepEqual([none.status, none.body.detail], [404, detail])
    const encoded = encodeURIComponent(reference)
    assert.deepEqual(await listed(`source_reference=${encoded}`), [talk.id, page.id])
    assert.deepEqual(await listed(`source=import&source_reference=${encoded}`), [page.id])
    assert.deepEqual(await listed('source=import'), [page.id])
    assert.deepEqual(await listed(`source_reference=${encoded}&tag=none`), [])
  })

  test('an entry is deleted by source and reference, unless another version is expected or several have it', async () => {
    const { id } = await create({ source: 'import', source_reference: 'drop/one' })
    const query = { source: 'import', source_reference: 'drop/one' }
    assert.equal((await bySource(query, 'DELETE', { 'if-match': '"2"' })).status, 412)
    assert.equal((await bySource({ ...query, source: 'manual' }, 'DELETE')).status, 404)
    assert.equal((await bySource(query, 'DELETE', { 'if-match': '"1"' })).status, 204)
    assert.equal((await bySource(query, 'DELETE')).status, 404)
    assert.equal((await service.call('POST', `/api/knowledge/bin/${id}/restore`)).status, 200)
    await create({ source: 'import', source_reference: 'drop/one' })
    const several = await bySource(query, 'DELETE')
    assert.deepEqual([several.status, several.body.detail[0].type], [409, 'conflict'])
    assert.equal((await listed('source_reference=drop/one')).length, 2)
  })

  test('a reference that another type took while its entry lay in the bin deletes neither once both are back', async () => {
    const query = { source_reference: 'taken/by-another' }
    const { id: first } = await create(query)
    assert.equal((await bySource(query, 'DELETE')).status, 204)
    const metadata = { term: 'Lumen', definition: 'A unit of light' }
    const { id: second } = await create({ ...query, type: 'glossary', metadata })
    assert.equal((await service.call('POST', `/api/knowledge/bin/${first}/restore`)).status, 200)
    assert.deepEqual(await listed('source_reference=taken/by-another'), [second, first])
    const refused = await bySource(query, 'DELETE')
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [409, ['query', 'source_reference']])
    assert.equal((await bySource(query)).body.id, first, 'reading gives the oldest')
    assert.equal((await service.call('DELETE', `${BASE}/${first}`)).status, 204)
    assert.equal((await bySource(query, 'DELETE')).status, 204)
  })

  test('a reference tells callers nothing of entries that they do not see', async () => {
    const key = await service.key(['knowledge:read', 'knowledge:delete', 'visibility:internal'])
    await create({ source_reference: 'veiled', visibility: 'restricted' })
    await create({ source_reference: 'veiled' }, `${BASE}/personal`)
    const query = { source_reference: 'veiled' }
    assert.equal((await bySource(query, 'GET', {}, key)).status, 404)
    assert.equal((await bySource(query, 'DELETE', {}, key)).status, 404)
    const { id } = await create({ source_reference: 'veiled' })
    assert.equal((await bySource(query, 'GET', {}, key)).body.id, id)
    assert.equal((await bySource(query, 'DELETE', {}, key)).status, 204)
    assert.equal((await listed('source_reference=veiled')).length, 2)
  })

  test('many entries are deleted together by their ids or, when one of them does not exist, not at all', async () => {
    const ids = [(await create()).id, (await create()).id, (await create()).id]
    const counted = await removeMany({ entry_ids: [...ids, ids[0]], dry_run: true })
    assert.deepEqual(counted.body, { dry_run: true, matched: 3, deleted: 0, remaining: 0 })
    const refused = await removeMany({ entry_ids: [ids[0], UNKNOWN] })
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['body', 'entry_ids', '1']])
    for (const id of ids) assert.equal((await service.call('GET', `${BASE}/${id}`)).status, 200)
    const removed = await removeMany({ entry_ids: ids })
    assert.deepEqual([removed.status, removed.body], [200, { dry_run: false, matched: 3, deleted: 3, remaining: 0 }])
    for (const id of ids) {
      assert.equal((await service.call('GET', `${BASE}/${id}`)).status, 404)
      assert.equal((await service.call('POST', `/api/knowledge/bin/${id}/restore`)).status, 200)
    }
  })

  test('entries are deleted by the filters of the list, after a dry run that says how many', async () => {
    const project = (await service.call('POST', '/api/knowledge/projects', { body: { name: 'Old' } })).body.id
    const survivor = await create({ tags: ['old'], layer: 'kept' })
    const dropped = [
      await create({ tags: ['old', 'x'], layer: 'drop' }),
      await create({ tags: ['old'], layer: 'drop' }),
    ]
    const filter = { tag: ['old', 'older'], layer: 'drop' }
    const dry = await removeMany({ filter, dry_run: true })
    assert.deepEqual(dry.body, { dry_run: true, matched: 2, deleted: 0, remaining: 0 })
    assert.equal((await listed('tag=old')).length, 3)
    assert.deepEqual((await removeMany({ filter: { ...filter, project_id: project } })).body.matched, 0)
    const { body } = await removeMany({ filter })
    assert.deepEqual(body, { dry_run: false, matched: 2, deleted: 2, remaining: 0 })
    assert.deepEqual(await listed('tag=old'), [survivor.id])
    const { body: binned } = await service.call('GET', '/api/knowledge/bin')
    for (const { id } of dropped) assert.ok(binned.some((one: { id: string }) => one.id === id))
  })

  test('a filter with very many entries is worked off call by call, and each call says how many are left', async () => {
    const lines = Array.from({ length: 520 }, (_, i) =>
      JSON.stringify({ title: `Page ${i}`, content: 'Some content', category_id: category, layer: 'many' }),
    )
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.call('POST', `${BASE}/bulk`, { body: lines.join('\n'), headers })
    const filter = { layer: 'many' }
    assert.deepEqual((await removeMany({ filter })).body, {
      dry_run: false,
      matched: 520,
      deleted: 500,
      remaining: 20,
    })
    assert.deepEqual((await removeMany({ filter })).body, { dry_run: false, matched: 20, deleted: 20, remaining: 0 })
    assert.deepEqual((await removeMany({ filter })).body, { dry_run: false, matched: 0, deleted: 0, remaining: 0 })
    const { count } = await service.database.queries
      .selectFrom('audit_log')
      .innerJoin('binned_entries', 'binned_entries.id', 'audit_log.resource_id')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('action', '=', 'delete')
      .where('binned_entries.title', 'like', 'Page %')
      .executeTakeFirstOrThrow()
    assert.equal(count, 520)
  })

  test('a filter deletes only what its caller sees', async () => {
    const key = await service.key(['knowledge:read', 'knowledge:delete', 'visibility:internal'])
    const seen = await create({ layer: 'shared' })
    await create({ layer: 'shared', visibility: 'restricted' })
    await create({ layer: 'shared' }, `${BASE}/personal`)
    assert.deepEqual((await removeMany({ filter: { layer: 'shared' } }, key)).body.deleted, 1)
    const left = await listed('layer=shared')
    assert.ok(left.length === 2 && !left.includes(seen.id))
  })

  test('a deletion that could take more than was meant is refused', async () => {
    const before = (await listed('')).length
    const refusals = [
      [{ filter: { include_expired: true, tag: [] } }, ['body', 'filter'], 'too_short'],
      [{ filter: { categry_id: category } }, ['body', 'filter', 'categry_id'], 'extra_forbidden'],
      [{ filter: { layer: 'x' }, dryrun: true }, ['body', 'dryrun'], 'extra_forbidden'],
      [{ entry_ids: [] }, ['body', 'entry_ids'], 'too_short'],
    ] as const
    for (const [body, loc, type] of refusals) {
      const answer = await removeMany(body)
      assert.equal(answer.status, 422, JSON.stringify(body))
      assert.deepEqual([answer.body.detail[0].loc, answer.body.detail[0].type], [loc, type], JSON.stringify(body))
    }
    assert.equal((await listed('')).length, before)
  })
})

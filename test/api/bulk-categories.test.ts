import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const CATEGORIES = '/api/knowledge/categories'

onEachDatabase('lines of a bulk that name their category by its path', (kind) => {
  let service: TestService

  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  interface Result {
    readonly line: number
    readonly status: string
    readonly id?: string
    readonly detail?: readonly { readonly loc: readonly string[]; readonly msg: string; readonly type: string }[]
  }

  async function push(lines: readonly Record<string, unknown>[], key = service.adminKey): Promise<Result[]> {
    const response = await fetch(`${service.service.url}${ENTRIES}/bulk`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => JSON.stringify({ title: 'Seite', content: 'Text', ...line })).join('\n'),
    })
    assert.equal(response.status, 200)
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result)
  }

  const pathOf = async (id: string | undefined): Promise<string[]> =>
    (await service.call('GET', `${ENTRIES}/${id}?include_category_path=true`)).body.category_path
  const named = async (name: string): Promise<unknown[]> =>
    (await service.call('GET', CATEGORIES)).body.filter((each: { name: string }) => each.name === name)

  test('a missing category of a path is created once, and audited', async () => {
    const results = await push([
      { category: 'Handbücher / Drucker / Laser', source_reference: 'a' },
      { category: 'Handbücher/Drucker', source_reference: 'b' },
      { category: ' Handbücher / Drucker / Laser ', source_reference: 'c' },
    ])
    assert.deepEqual(
      results.map(({ status }) => status),
      ['created', 'created', 'created'],
    )
    assert.deepEqual(await Promise.all(results.map(({ id }) => pathOf(id))), [
      ['Handbücher', 'Drucker', 'Laser'],
      ['Handbücher', 'Drucker'],
      ['Handbücher', 'Drucker', 'Laser'],
    ])
    const [laser] = (await named('Laser')) as { id: string }[]
    const audited = await service.database.queries
      .selectFrom('audit_log')
      .select(['action', 'resource_type'])
      .where('resource_id', '=', laser.id)
      .execute()
    assert.deepEqual(audited, [{ action: 'create', resource_type: 'category' }])
    const again = await push([{ category: 'Handbücher / Drucker / Laser', source_reference: 'a' }])
    assert.deepEqual([again[0].status, again[0].id], ['unchanged', results[0].id])
    const moved = await push([{ category: 'Handbücher / Tinte', source_reference: 'a' }])
    assert.deepEqual([moved[0].status, await pathOf(results[0].id)], ['updated', ['Handbücher', 'Tinte']])
  })

  test('of two categories with one name, the first in the order of lists is taken', async () => {
    const make = async (sort_order: number) =>
      (await service.call('POST', CATEGORIES, { body: { name: 'Doppelt', sort_order } })).body.id
    await make(2)
    const first = await make(1)
    const [{ id }] = await push([{ category: 'Doppelt' }])
    assert.equal((await service.call('GET', `${ENTRIES}/${id}`)).body.category_id, first)
  })

  test('a line needs a category, and a path that is no good is refused at its place', async () => {
    const deep = Array.from({ length: 65 }, () => 'x').join('/')
    const results = await push([
      {},
      { category: 'A//B' },
      { category: 'x'.repeat(201) },
      { category: deep },
      { category: 5 },
    ])
    assert.deepEqual(
      results.map(({ status, detail }) => [status, detail?.map(({ loc, type }) => [...loc, type].join(' '))]),
      [
        ['failed', ['body category_id missing']],
        ['failed', ['body category value_error']],
        ['failed', ['body category value_error']],
        ['failed', ['body category value_error']],
        ['failed', ['body category string_type']],
      ],
    )
    const { body: all } = await service.call('GET', CATEGORIES)
    const id = all[0].id as string
    const both = await push([{ category_id: id, category: 'Nie gemacht' }])
    assert.equal((await service.call('GET', `${ENTRIES}/${both[0].id}`)).body.category_id, id)
    assert.deepEqual(await named('Nie gemacht'), [])
  })

  test('a line that fails makes no category', async () => {
    const [refused] = await push([{ category: 'Vergebens', type: 'skill', visibility: 'personal' }])
    assert.equal(refused.status, 'failed')
    const places = refused.detail?.map(({ loc }) => loc.join('.'))
    assert.deepEqual(places?.toSorted(), ['body.metadata.steps', 'body.visibility'])
    assert.deepEqual(await named('Vergebens'), [])
    const [lost] = await push([{ category: 'Umsonst', workspace_id: '00000000-0000-7000-8000-000000000000' }])
    assert.deepEqual([lost.status, lost.detail?.[0].loc], ['failed', ['body', 'workspace_id']])
    assert.deepEqual(await named('Umsonst'), [])
  })

  test('a caller who may not create categories uses those that exist, and is told which scope is missing', async () => {
    await push([{ category: 'Da / Drin' }])
    const key = await service.key(['knowledge:read', 'knowledge:write', 'visibility:internal'])
    const [there, missing] = await push([{ category: 'Da / Drin' }, { category: 'Da / Draussen' }], key)
    assert.deepEqual([there.status, await pathOf(there.id)], ['created', ['Da', 'Drin']])
    assert.equal(missing.status, 'failed')
    assert.deepEqual(missing.detail, [
      {
        loc: ['body', 'category'],
        msg: 'Category does not exist, and making it needs categories:write',
        type: 'forbidden',
      },
    ])
    assert.deepEqual(await named('Draussen'), [])
  })

  test('a caller who may neither read nor create categories does not learn which exist', async () => {
    await push([{ category: 'Geheim' }])
    const blind = await service.key(['knowledge:write', 'visibility:internal'])
    const [there, missing] = await push([{ category: 'Geheim' }, { category: 'Erfunden' }], blind)
    assert.deepEqual(there.detail, missing.detail)
    assert.equal(there.detail?.[0].type, 'forbidden')
    const maker = await service.key(['knowledge:write', 'categories:write', 'visibility:internal'])
    const [one, other] = await push([{ category: 'Geheim' }, { category: 'Neu gemacht' }], maker)
    assert.deepEqual([one.status, other.status], ['stored', 'stored'])
    assert.equal((await named('Geheim')).length, 1)
  })

  test('paths lead only to categories of the caller’s own tenant', async () => {
    await push([{ category: 'Nur hier' }])
    const paths = await service.tenant('paths')
    const { key } = await service.user({ tenant: paths, email: `paths-${kind.name}@x` })
    const [{ id }] = await push([{ category: 'Nur hier' }], key)
    const { body } = await service.call('GET', `${ENTRIES}/${id}`, { key })
    const [mine] = (await named('Nur hier')) as { id: string }[]
    assert.notEqual(body.category_id, mine.id)
  })
})

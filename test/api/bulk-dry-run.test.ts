import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

onEachDatabase('a dry run of a bulk', (kind) => {
  let service: TestService
  let category: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category()
  })
  after(() => service.stop())

  interface Result {
    readonly status: string
    readonly id?: string
    readonly detail?: readonly { readonly loc: readonly string[] }[]
  }

  async function push(query: string, lines: readonly object[], key = service.adminKey): Promise<Result[]> {
    const response = await fetch(`${service.service.url}${ENTRIES}/bulk${query}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: lines
        .map((line) => JSON.stringify({ title: 'Page', content: 'Text', category_id: category, ...line }))
        .join('\n'),
    })
    assert.equal(response.status, 200)
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Result)
  }
  const statuses = (results: readonly Result[]): string[] => results.map(({ status }) => status)
  const everything = async (): Promise<string> =>
    JSON.stringify([
      (await service.call('GET', `${ENTRIES}?include_total=true`)).body,
      (await service.call('GET', '/api/knowledge/categories')).body,
      await service.database.queries
        .selectFrom('audit_log')
        .select('id')
        .where('tenant_id', '=', service.tenantId)
        .execute(),
    ])

  test('says of each line what would happen, and stores nothing', async () => {
    const [same, other, gone] = await push('', [
      { source_reference: 'same' },
      { source_reference: 'other' },
      { source_reference: 'gone' },
    ])
    assert.equal((await service.call('DELETE', `${ENTRIES}/${gone.id}`)).status, 204)
    const before = await everything()
    const results = await push('?dry_run=true', [
      { source_reference: 'new' },
      { source_reference: 'same' },
      { source_reference: 'other', content: 'Another text' },
      { source_reference: 'gone' },
      { source_reference: 'bad', title: '' },
      { source_reference: 'shelved', category_id: undefined, category: 'New / Shelf' },
    ])
    assert.deepEqual(statuses(results), ['created', 'unchanged', 'updated', 'restored', 'failed', 'created'])
    assert.deepEqual(
      results.map(({ id }) => id),
      [undefined, same.id, other.id, gone.id, undefined, undefined],
    )
    assert.deepEqual(results[4].detail?.[0].loc, ['body', 'title'])
    assert.equal(await everything(), before)
  })

  test('is followed by an import that does the same', async () => {
    const lines = [{ source_reference: 'twice' }, { source_reference: 'once', content: 'Once' }]
    await push('', [lines[0]])
    const announced = await push('?dry_run=true', lines)
    assert.deepEqual(statuses(await push('?dry_run=false', lines)), statuses(announced))
  })

  test('tells callers without the right to read nothing of what is stored', async () => {
    await push('', [{ source_reference: 'secret' }])
    const key = await service.key(['knowledge:write', 'visibility:internal'])
    const results = await push('?dry_run=true', [{ source_reference: 'secret' }, { source_reference: 'open' }], key)
    assert.deepEqual(statuses(results), ['stored', 'stored'])
    assert.deepEqual(
      results.map(({ id }) => id),
      [undefined, undefined],
    )
  })

  test('refuses a value that is neither true nor false', async () => {
    const answer = await service.call('POST', `${ENTRIES}/bulk?dry_run=maybe`, {
      body: '{}',
      headers: { 'content-type': 'application/x-ndjson' },
    })
    assert.deepEqual([answer.status, answer.body.detail[0].loc], [422, ['query', 'dry_run']])
  })
})

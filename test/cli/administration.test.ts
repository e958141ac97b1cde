import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { removeTenantNow } from '../../src/composition/tenants/removal.ts'
import { TENANT_TABLES } from '../../src/composition/tenants/removal-store.ts'
import { OPERATOR } from '../../src/platform/audit/audit.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { databaseOf, folderOf, knowledge } from './program.ts'

const CATEGORIES = '/api/knowledge/categories'
const RECORDS = '/api/knowledge/audit-records'

onAnyDatabase('the commands for the administration of an installation', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const run = (...args: string[]) => knowledge(service.place, args)
  const listed = async (id: string) =>
    (await run('tenant', 'list')).stdout.split('\n').find((line) => line.startsWith(`${id} `))
  test('a tenant is suspended and resumed, and the list says so', async () => {
    await service.tenant('late')
    const { key } = await service.user({ tenant: 'late', email: 'boss@late.example' })
    const status = async () => (await service.call('GET', CATEGORIES, { key })).status
    assert.equal(await status(), 200)
    const suspended = await run('tenant', 'suspend', 'late')
    assert.deepEqual([suspended.code, suspended.stdout], [0, 'Tenant late is suspended\n'])
    assert.equal(await status(), 403)
    assert.match((await listed('late'))!, /  suspended \d{4}-\d\d-\d\d /)
    assert.equal((await run('tenant', 'resume', 'late')).code, 0)
    assert.equal(await status(), 200)
    assert.match((await listed('late'))!, /  active /)
    const unknown = await run('tenant', 'suspend', 'nobody')
    assert.deepEqual([unknown.code, unknown.stderr], [1, 'Tenant nobody not found\n'])
  })

  test('a tenant is deleted only with --yes, with everything it has, and its id is never given again', async () => {
    await service.tenant('gone')
    const { key } = await service.user({ tenant: 'gone', email: 'boss@gone.example' })
    const category_id = await service.category('Box', key)
    for (let i = 0; i < 30; i++) {
      const body = { title: `Entry ${i}`, content: 'Text', category_id }
      assert.equal((await service.call('POST', '/api/knowledge/knowledge-entries', { key, body })).status, 201)
    }
    const hesitant = await run('tenant', 'delete', 'gone')
    assert.deepEqual([hesitant.code, hesitant.stderr.includes('--yes')], [2, true])
    assert.equal((await service.call('GET', CATEGORIES, { key })).status, 200)
    const done = await run('tenant', 'delete', 'gone', '--yes')
    assert.equal(done.code, 0, done.stderr)
    assert.match(done.stdout, /^Tenant gone is gone: \d+ rows were deleted\n$/)
    assert.equal((await service.call('GET', CATEGORIES, { key })).status, 401)
    assert.deepEqual([await rowsOf(service.database, 'gone'), await listed('gone')], [0, undefined])
    const again = await run('tenant', 'create', 'gone')
    assert.match(again.stderr, /was removed; choose another id/)
  })

  test('a deletion is planned, cancelled, and refused for the last tenant, which still works', async () => {
    await service.tenant('leaving')
    const planned = await run('tenant', 'delete', 'leaving', '--yes', '--grace-days', '30')
    assert.match(
      planned.stdout,
      /^Tenant leaving is suspended; the service deletes it from \d{4}-.*tenant keep leaving\n$/,
    )
    assert.match((await listed('leaving'))!, /  removed from \d{4}-/)
    for (const days of ['0', '366', 'soon'])
      assert.equal((await run('tenant', 'delete', 'leaving', '--yes', '--grace-days', days)).code, 2)
    assert.equal((await run('tenant', 'resume', 'leaving')).code, 1)
    assert.equal((await run('tenant', 'keep', 'leaving')).code, 0)
    assert.equal((await run('tenant', 'resume', 'leaving')).code, 0)
    for (const id of ['late', 'leaving']) assert.equal((await run('tenant', 'delete', id, '--yes')).code, 0)
    const last = await run('tenant', 'delete', 'default', '--yes')
    assert.deepEqual([last.code, last.stderr], [1, 'The last tenant stays\n'])
    assert.equal((await service.call('GET', CATEGORIES)).status, 200)
  })

  test('audit records are listed and exported by the filters of the API', async (t) => {
    await service.category('Audited')
    await run('tenant', 'set', 'binDays=7')
    const overHttp = async (query: string) => (await service.call('GET', `${RECORDS}?${query}`)).body
    const list = await run('audit', 'list', '--resource-type', 'tenant', '--source', 'cli', '--limit', '1')
    const [{ created_at: at }] = await overHttp('resource_type=tenant&source=cli&limit=1')
    assert.deepEqual(list.stdout.split('\n')[1].split(/  +/), [
      `${at.slice(0, 19).replace('T', ' ')}Z`,
      'update',
      'tenant',
      'default',
      '-',
      'cli',
    ])
    const all = await run('audit', 'export', '--resource-type', 'category')
    const parsed = all.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    assert.deepEqual(parsed, await overHttp('resource_type=category'))
    const file = join(folderOf(t, {}), 'records.csv')
    const csv = await run(
      'audit',
      'export',
      '--format',
      'csv',
      '--from',
      '2020-01-01',
      '-o',
      file,
      '--action',
      'export',
    )
    assert.equal(csv.code, 0, csv.stderr)
    assert.match(readFileSync(file, 'utf8'), /^id,created_at,.*\r\n[\w-]+,.*,export,done,audit_log,default,.*\r\n$/)
    assert.equal((await run('audit', 'list', '--to', '2020-01-01')).stdout.split('\n').length, 2)
  })

  test('a filter that makes no sense is refused by its name', async () => {
    for (const [option, value, words] of [
      ['--user-id', 'ann', '--user-id: Input should be a valid UUID'],
      ['--outcome', 'maybe', '--outcome: '],
      ['--from', 'yesterday', '--from: '],
      ['--limit', '0', '--limit must be a whole number'],
    ]) {
      const refused = await run('audit', 'list', option, value)
      assert.deepEqual([refused.code, refused.stderr.includes(words)], [2, true], refused.stderr)
    }
    const format = await run('audit', 'export', '--format', 'xml')
    assert.deepEqual([format.code, format.stderr], [2, '--format must be jsonl or csv\n'])
    assert.equal((await run('audit', 'list', '--tenant', 'nobody')).code, 1)
  })
})

onAnyDatabase('a deletion by command while no service runs', (kind) => {
  const at = databaseOf(kind)

  test('goes on where it was interrupted', async () => {
    const run = (...args: string[]) => knowledge(at.place, args)
    assert.equal((await run('tenant', 'create', 'large')).code, 0)
    assert.equal((await run('user', 'create', 'ann@large.example', '--tenant', 'large')).code, 0)
    const stopping = new AbortController()
    const signal = stopping.signal
    let steps = 0
    const onDeleted = () => void (++steps === 5 && stopping.abort())
    assert.equal(await removeTenantNow(at.database, 'large', OPERATOR, { signal, onDeleted }), false)
    assert.ok((await rowsOf(at.database, 'large')) > 0)
    assert.match((await run('tenant', 'list')).stdout, /^large .* being removed /m)
    assert.match((await run('tenant', 'keep', 'large')).stderr, /has begun/)
    const done = await run('tenant', 'delete', 'large', '--yes')
    assert.deepEqual([done.code, await rowsOf(at.database, 'large')], [0, 0], done.stderr)
  })
})

async function rowsOf({ queries }: Database, tenantId: string): Promise<number> {
  let rows = 0
  for (const { table } of TENANT_TABLES) {
    const counted = sql<{ n: number }>`select count(*) as n from ${sql.table(table)} where tenant_id = ${tenantId}`
    rows += (await counted.execute(queries)).rows[0].n
  }
  return rows
}

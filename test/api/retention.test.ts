import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { brokenVersionChains } from '../../src/knowledge/entries/writes/consistency-store.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const RECORDS = '/api/knowledge/audit-records'
const SETTINGS = '/api/knowledge/tenant-settings'
const DAY_MS = 86_400_000

onEachDatabase('what a tenant no longer keeps', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  /** Makes a tenant, with its administrator's key. */
  const newTenant = async (name: string) => {
    const id = await service.tenant(name)
    const { key } = await service.user({ tenant: id, email: `boss@${id}.example` })
    return {
      id,
      call: (method: string, path: string, body?: object) => service.call(method, path, { key, body }),
      category: await service.category('Box', key),
    }
  }
  type Tenant = Awaited<ReturnType<typeof newTenant>>

  const sweep = async (now: number): Promise<void> => {
    const sweeper = startSweeper(service.database, (error) => assert.fail(error as Error))
    await sweeper.sweep(now)
    await sweeper.close()
  }
  /** Creates an entry with a version for each of these ages; the last one is the age of its current version. */
  const entryOf = async ({ id: tenantId, call, category }: Tenant, agesDays: readonly number[], now: number) => {
    const { id } = (await call('POST', ENTRIES, { title: 'T', content: 'state 1', category_id: category })).body
    for (let i = 2; i <= agesDays.length; i++) {
      assert.equal((await call('PATCH', `${ENTRIES}/${id}`, { content: `state ${i}` })).status, 200)
    }
    const { queries } = service.database
    for (const [i, days] of agesDays.entries()) {
      const at = now - days * DAY_MS
      const [version, isLast] = [i + 1, i === agesDays.length - 1]
      await (
        isLast
          ? queries
              .updateTable('entries')
              .set({ updated_at: at })
              .where('tenant_id', '=', tenantId)
              .where('id', '=', id)
          : queries
              .updateTable('entry_versions')
              .set({ updated_at: at })
              .where('tenant_id', '=', tenantId)
              .where('entry_id', '=', id)
              .where('version', '=', version)
      ).execute()
    }
    return id as string
  }
  /** Returns the earlier versions. The list of the route has the current one, too. */
  const versionsOf = async ({ call }: Tenant, id: string): Promise<number[]> => {
    const { body } = await call('GET', `${ENTRIES}/${id}/versions`)
    const all = body.map(({ version }: { version: number }) => version).sort((a: number, b: number) => a - b)
    return all.slice(0, -1)
  }

  test('an earlier version is deleted when it was replaced that long ago, however old it is', async () => {
    const now = Date.now()
    const tenant = await newTenant('versions')
    const id = await entryOf(tenant, [900, 400, 200, 5], now)
    const young = await entryOf(tenant, [900, 1], now)
    await sweep(now)
    assert.deepEqual(await versionsOf(tenant, id), [1, 2, 3], 'all stay unless the tenant says otherwise')
    assert.equal((await tenant.call('PATCH', SETTINGS, { version_days: 100 })).status, 200)
    await sweep(now)
    assert.deepEqual(await versionsOf(tenant, id), [3], 'the third was replaced five days ago')
    assert.deepEqual(await versionsOf(tenant, young), [1])
    assert.equal((await tenant.call('GET', `${ENTRIES}/${id}`)).body.content, 'state 4')
    assert.equal(await brokenVersionChains(service.database.queries), 0)
    await sweep(now + 96 * DAY_MS)
    assert.deepEqual([await versionsOf(tenant, id), await versionsOf(tenant, young)], [[], [1]])
  })

  test('many versions go in steps, and those of another tenant stay', async () => {
    const now = Date.now()
    const tenant = await newTenant('many')
    const other = await newTenant('other')
    const entryId = await entryOf(other, [900, 800, 700], now)
    const ids = await Promise.all([1, 2, 3].map(() => entryOf(tenant, Array(31).fill(900), now)))
    await tenant.call('PATCH', SETTINGS, { version_days: 1 })
    await sweep(now)
    for (const id of ids) assert.deepEqual(await versionsOf(tenant, id), [])
    assert.deepEqual(await versionsOf(other, entryId), [1, 2])
  })

  test('audit records are deleted after their days, those of others are not', async () => {
    const tenant = await newTenant('audited')
    const other = await newTenant('unaudited')
    const now = Date.now()
    const { queries } = service.database
    for (const { id } of [tenant, other]) {
      const old = { at: now - 40 * DAY_MS }
      await queries.updateTable('audit_log').set(old).where('tenant_id', '=', id).execute()
    }
    const countOf = async ({ call }: Tenant): Promise<number> => (await call('GET', RECORDS)).body.length
    const before = [await countOf(tenant), await countOf(other)]
    assert.ok(before.every((count) => count > 0))
    assert.equal((await tenant.call('PATCH', SETTINGS, { audit_days: 30 })).status, 200)
    await sweep(now)
    const left = (await tenant.call('GET', RECORDS)).body
    assert.deepEqual(
      left.map(({ details }: { details: unknown }) => details),
      [{ changes: { audit_days: { before: 3_650, after: 30 } } }],
    )
    assert.equal(await countOf(other), before[1])
  })

  test('an administrator cannot have the records of today deleted soon', async () => {
    const { call } = await newTenant('hasty')
    const { status, body } = await call('PATCH', SETTINGS, { audit_days: 29 })
    assert.deepEqual([status, body.detail[0].loc], [422, ['body', 'audit_days']])
  })
})

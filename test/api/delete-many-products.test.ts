import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PRODUCTS = '/api/knowledge/products'

onEachDatabase('products that are deleted by external_id', (kind) => {
  let service: TestService
  let sites = 0
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const push = (site: string, lines: readonly object[], query = '') =>
    service.call('POST', `${PRODUCTS}/bulk?site_id=${site}${query}`, {
      body: lines.map((line) => JSON.stringify({ title: 'P', language: 'en', ...line })).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
  /** Makes a site with products, and returns its slug. */
  const shop = async (...lines: readonly object[]) => {
    const slug = `emptied-${++sites}`
    await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug } })
    await push(slug, lines)
    return slug
  }
  const remove = (site: string, body: object, key = service.adminKey) =>
    service.call('POST', `${PRODUCTS}/bulk-delete?site_id=${site}`, { body, key })
  const listed = async (site: string): Promise<Record<string, string | null>[]> =>
    (await service.call('GET', `${PRODUCTS}?site_id=${site}`)).body
  const names = async (site: string) => (await listed(site)).map((product) => product.external_id).toSorted()

  test('each is answered, unknown ones keep nothing from being deleted, and other sites are left alone', async () => {
    const site = await shop({ external_id: 'a' }, { external_id: 'b/ä' }, { external_id: 'c' })
    const other = await shop({ external_id: 'a' })
    const idOf = new Map((await listed(site)).map(({ external_id, id }) => [external_id, id]))
    const external_ids = ['b/ä', 'nothing', 'a', 'a']
    const answer = await remove(site, { external_ids })
    assert.equal(answer.status, 200)
    const deleted = (external_id: string) => ({ external_id, status: 'deleted', id: idOf.get(external_id) })
    const results = [deleted('b/ä'), { external_id: 'nothing', status: 'not_found' }, deleted('a'), deleted('a')]
    assert.deepEqual(answer.body, { dry_run: false, matched: 2, deleted: 2, results })
    assert.deepEqual([await names(site), await names(other)], [['c'], ['a']])
    assert.deepEqual((await remove(site, { external_ids: ['a'] })).body.results, [
      { external_id: 'a', status: 'not_found' },
    ])
    assert.equal((await service.call('GET', `${PRODUCTS}/${idOf.get('a')}`)).status, 404)
  })

  test('a dry run tells what would be deleted, and deletes nothing', async () => {
    const site = await shop({ external_id: 'a' }, { external_id: 'b' })
    const { body } = await remove(site, { external_ids: ['a', 'x'], dry_run: true })
    assert.deepEqual([body.dry_run, body.matched, body.deleted], [true, 1, 0])
    assert.deepEqual(
      body.results.map(({ status }: { status: string }) => status),
      ['deleted', 'not_found'],
    )
    assert.deepEqual(await names(site), ['a', 'b'])
    const misspelt = await remove(site, { external_ids: ['a'], dryrun: true })
    assert.deepEqual([misspelt.status, misspelt.body.detail[0].loc], [422, ['body', 'dryrun']])
    assert.deepEqual(await names(site), ['a', 'b'])
  })

  test('variants of a deleted product wait for a parent, and parents no longer count the stock of deleted variants', async () => {
    const stock = { availability: 'InStock' }
    const site = await shop(
      { external_id: 'p' },
      { external_id: 'q', availability: 'OutOfStock' },
      { external_id: 'p-1', parent_external_id: 'p' },
      { external_id: 'q-1', parent_external_id: 'q', ...stock },
    )
    await remove(site, { external_ids: ['p', 'q-1'] })
    const rows = await listed(site)
    assert.deepEqual(rows.map(({ external_id, parent_product_id }) => [external_id, parent_product_id]).toSorted(), [
      ['p-1', null],
      ['q', null],
    ])
    const { variants_availability: left } = await service.database.queries
      .selectFrom('products')
      .select('variants_availability')
      .where('id', '=', rows.find(({ external_id }) => external_id === 'q')!.id!)
      .executeTakeFirstOrThrow()
    assert.equal(left, null)
    const again = await service.call('POST', `${PRODUCTS}?site_id=${site}`, {
      body: { title: 'P', language: 'en', external_id: 'p' },
    })
    assert.equal(
      (await listed(site)).find(({ external_id }) => external_id === 'p-1')!.parent_product_id,
      again.body.id,
    )
  })

  test('a product that a full sync retired is not found', async () => {
    const site = await shop({ external_id: 'a' }, { external_id: 'b' })
    const [{ last_synced_at }] = await listed(site)
    await until(() => Date.now() > Date.parse(last_synced_at!), 'the clock goes on')
    await push(site, [{ external_id: 'a' }], '&sync=full')
    const { body } = await remove(site, { external_ids: ['b'] })
    assert.deepEqual([body.deleted, body.results[0].status], [0, 'not_found'])
  })

  test('search no longer finds a deleted product, and each has its audit record', async () => {
    const site = await shop({ external_id: 'a', title: 'Xylophone' }, { external_id: 'b', title: 'Xylophone' })
    const ids = (await listed(site)).map(({ id }) => id!)
    const search = async () =>
      (await service.call('POST', `${PRODUCTS}/search`, { body: { query: 'Xylophone', site_id: site } })).body.total
    assert.equal(await search(), 2)
    await remove(site, { external_ids: ['a', 'b'] })
    assert.equal(await search(), 0)
    const rows = await service.database.queries
      .selectFrom('audit_log')
      .select('action')
      .where('resource_id', 'in', ids)
      .where('action', '=', 'delete')
      .execute()
    assert.equal(rows.length, 2)
  })

  test('five hundred go in one call, more are refused', async () => {
    const external_ids = Array.from({ length: 500 }, (_, i) => `p-${i}`)
    const site = await shop(...external_ids.map((external_id) => ({ external_id })))
    const more = await remove(site, { external_ids: [...external_ids, 'one more'] })
    assert.deepEqual([more.status, more.body.detail[0].type], [422, 'too_long'])
    assert.equal((await remove(site, { external_ids })).body.deleted, 500)
    assert.deepEqual(await names(site), [])
  })

  test('it needs products:write, and a site of the tenant', async () => {
    const site = await shop({ external_id: 'a' })
    assert.equal((await remove(site, { external_ids: ['a'] }, await service.key(['products:read']))).status, 403)
    const tenant = await service.tenant('elsewhere')
    const { key } = await service.user({ tenant, email: 'delete@b.example' })
    const foreign = await remove(site, { external_ids: ['a'] }, key)
    assert.deepEqual([foreign.status, foreign.body.detail[0].loc], [422, ['query', 'site_id']])
    const bare = await remove('nowhere', {})
    assert.deepEqual(
      bare.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.')),
      ['query.site_id'],
    )
    const writer = await service.key(['products:write'])
    assert.equal((await remove(site, { external_ids: ['a'] }, writer)).body.deleted, 1)
  })
})

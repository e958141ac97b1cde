import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { inTier } from '../support/tier.ts'
import { byChance } from '../support/seed.ts'
import { connectionsGone } from './connections-gone.ts'
import { assertConsistent, assertNoViolations } from './consistency.ts'
import { productOf, ProductPush } from './product-push.ts'
import { ServiceProcess } from './service-process.ts'

/** More products than two transactions store, and than one transaction retires. */
const IDS = Array.from({ length: 560 }, (_, i) => `okapi-${i}`)
const PAGE = 100
/** Kinds of push that are killed on each database, before a full sync that retires. */
const SYNCS = inTier({
  gate: { SQLite: ['full'], PostgreSQL: ['full'] },
  all: { SQLite: ['delta', 'full'], PostgreSQL: ['full'] },
} as const)

/** Each query selects violations of the guarantee in its name. */
const VIOLATIONS: Readonly<Record<string, string>> = {
  'a product is created once, says the audit': `
    select p.id, a.creations from products p left join (
      select tenant_id, resource_id, count(*) as creations from audit_log
      where resource_type = 'product' and action = 'create' group by tenant_id, resource_id
    ) a on a.tenant_id = p.tenant_id and a.resource_id = p.id
    where coalesce(a.creations, 0) <> 1`,
  'what the audit says was created is there': `
    select a.resource_id from audit_log a left join products p on p.tenant_id = a.tenant_id and p.id = a.resource_id
    where a.resource_type = 'product' and p.id is null`,
  'of a retired product the audit says so': `
    select p.id from products p where p.retired_at is not null
      and p.id not in (select resource_id from audit_log where resource_type = 'product' and action = 'retire')`,
  'no product is newer than its tenant': `
    select p.id, p.seq from products p join tenants n on n.tenant_id = p.tenant_id
    where p.seq > n.watermark or p.seq < 1`,
  'a product that says it has vectors has them': `
    select p.id from products p left join product_vectors v
      on v.tenant_id = p.tenant_id and v.product_id = p.id and v.model = p.embedding_model
    where p.embedding_model is not null and v.product_id is null`,
  'vectors belong to a product': `
    select v.product_id from product_vectors v
      left join products p on p.tenant_id = v.tenant_id and p.id = v.product_id where p.id is null`,
  'a product without vectors waits for them': `
    select p.id from products p left join embedding_jobs j
      on j.tenant_id = p.tenant_id and j.kind = 'product' and j.item_id = p.id
    where p.embedding_model is null and p.retired_at is null and j.item_id is null`,
}

onAnyDatabase('kill -9 during pushes of products', (kind) => {
  let place: TestDatabase
  let database: Database
  let service: ServiceProcess
  /** Last acknowledged round of each external_id. */
  const acknowledgedRounds = new Map<string, number>()

  before(async () => {
    place = await kind.create({ onDisk: true })
    database = openDatabase(place.options)
    service = await ServiceProcess.start(place)
  })
  after(async () => {
    await service.kill()
    await database.close()
    await place.remove()
  })

  const stored = async () => {
    const rows = await database.queries
      .selectFrom('products')
      .select(['external_id', 'title', 'description', 'brand', 'price_current', 'language', 'sync_hash', 'retired_at'])
      .execute()
    assert.equal(new Set(rows.map((row) => row.external_id)).size, rows.length, 'each product is there once')
    return rows.map(({ retired_at: retiredAt, ...product }) => ({ product, isRetired: retiredAt !== null }))
  }

  /** Kills the service, restarts it, and compares the stored products with the acknowledged ones. */
  const killAndCompare = async (push: ProductPush) => {
    await service.kill()
    await push.ended()
    await connectionsGone(database)
    service = await ServiceProcess.start(place)
    for (const id of push.acknowledged) acknowledgedRounds.set(id, push.round)
    const rows = await stored()
    const rounds = new Map(rows.map(({ product }) => [product.external_id!, Number(product.sync_hash)]))
    for (const [id, round] of acknowledgedRounds) {
      const current = rounds.get(id)
      const isUnanswered = current === push.round && !push.acknowledged.has(id)
      assert.ok(current === round || isUnanswered, `${id} is of round ${current}, acknowledged was ${round}`)
    }
    for (const { product } of rows) {
      const id = product.external_id!
      assert.deepEqual(product, productOf(id, rounds.get(id)!), 'no product is half of one round')
      acknowledgedRounds.set(id, rounds.get(id)!)
    }
    await assertConsistent(database)
    await assertNoViolations(database, VIOLATIONS)
    await assertFound(rows)
    return rows
  }

  /** Fails unless search finds exactly the products that are not retired, as stored. */
  const assertFound = async (rows: Awaited<ReturnType<typeof stored>>) => {
    const living = Map.groupBy(
      rows.filter(({ isRetired }) => !isRetired).map(({ product }) => product),
      (product) => product.brand!,
    )
    for (const brand of new Set(rows.map(({ product }) => product.brand!))) {
      const titles = new Set(living.get(brand)?.map((product) => product.title))
      const body = { query: 'okapi', mode: 'keyword', brand, limit: PAGE, facets: false }
      const { body: answer } = await service.call('POST', '/api/knowledge/products/search', { body })
      assert.equal(answer.total, titles.size, `products of ${brand}`)
      for (const { product } of answer.hits) assert.ok(titles.has(product.title), product.title)
    }
  }

  test('keeps each answered line complete, and retires nothing when a stream breaks off', async () => {
    await byChance(async (random) => {
      for (const [i, sync] of SYNCS[kind.name].entries()) {
        const push = new ProductPush(service, IDS, 10 + i, sync, true)
        await push.answered(1 + random() * IDS.length * 0.6)
        const rows = await killAndCompare(push)
        assert.ok(push.acknowledged.size > 0 && push.retired === null)
        assert.ok(rows.every(({ isRetired }) => !isRetired))
      }
    })
  })

  test('retires in complete steps, and the next full sync finishes the job', async () => {
    const few = IDS.slice(0, 10)
    const push = new ProductPush(service, few, 30, 'full')
    await push.answered(few.length)
    const rows = await killAndCompare(push)
    const living = new Set(rows.flatMap(({ isRetired, product }) => (isRetired ? [] : [product.external_id])))
    assert.ok(few.every((id) => living.has(id)))
    const healed = new ProductPush(service, IDS.slice(1), 40, 'full')
    await healed.ended()
    assert.deepEqual([healed.acknowledged.size, healed.retired], [IDS.length - 1, 1])
    const last = await stored()
    assert.equal(last.length, IDS.length)
    for (const { product, isRetired } of last)
      assert.deepEqual([product.sync_hash, isRetired], product.external_id === IDS[0] ? ['30', true] : ['40', false])
    await assertFound(last)
    await assertNoViolations(database, VIOLATIONS)
  })
})

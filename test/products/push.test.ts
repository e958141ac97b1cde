import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { EmbedderPool } from '../../src/embedding/embedder-pool.ts'
import type { Caller } from '../../src/platform/access/caller.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { unauthorized, unavailable } from '../../src/platform/faults.ts'
import { LineTally } from '../../src/platform/lines/line-tally.ts'
import { faultOf } from '../../src/platform/storage-faults.ts'
import { finishedLine } from '../../src/shop/products/bulk/bulk-lines.ts'
import type { ProductLine, PushOptions } from '../../src/shop/products/bulk/push-rules.ts'
import { ProductRules } from '../../src/shop/products/rules.ts'
import { DEFAULT_SETTINGS } from '../../src/identity/tenants/settings.ts'
import { onAnyDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const BUILTIN = { provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null } as const
const PAGE = { limit: 1_000, after: null }

onAnyDatabase('a push of products', (kind) => {
  let service: TestService
  let embedders: EmbedderPool
  let rules: ProductRules
  let sites = 0
  const callerOf = (id: string): Caller => ({
    tenant: { id, ownHost: false, settings: DEFAULT_SETTINGS, embeddingModel: null, watermark: 0 },
    userId: null,
    credentialId: null,
    credentialKind: null,
    scopes: new Set(ROLE_SCOPES.admin),
    ceiling: 'restricted',
    workspaceIds: [],
    audit: { source: 'test', clientId: null },
  })
  let caller: Caller
  before(async () => {
    service = await joinService(kind)
    caller = callerOf(service.tenantId)
    embedders = new EmbedderPool(BUILTIN)
    rules = new ProductRules({ database: service.database, embedders, onQueued: () => undefined })
  })
  after(async () => {
    await embedders.close()
    await service.stop()
  })

  const lines = async function* (from: number, to: number): AsyncGenerator<ProductLine> {
    for (let i = from; i < to; i++) {
      const fields = { title: `Product ${i}`, language: 'en', external_id: `p-${i}` }
      yield { line: i + 1, bytes: 100, input: { kind: 'whole', fields } }
    }
  }
  const newSite = async () => {
    const slug = `push-${++sites}`
    await service.call('POST', '/api/knowledge/sites', { body: { slug, name: slug } })
    return slug
  }
  const begin = (site: string, options: Partial<PushOptions> = {}) =>
    rules.beginPush(
      caller,
      { site, source: 'feed', dryRun: false, maxRetired: { percent: 100, atLeast: 0 } },
      { tally: new LineTally(), renewCaller: () => Promise.resolve(caller), ...options },
    )
  /** Makes a site with a product that no later feed contains. */
  const siteWithOld = async () => {
    const site = await newSite()
    const push = await begin(site)
    assert.equal((await Array.fromAsync(push.run(lines(900, 901)))).length, 1)
    return site
  }
  const names = async (site: string) => {
    const { products } = await rules.list(caller, { site_id: site }, PAGE)
    return new Set(products.map((product) => product.external_id))
  }
  const countOf = async (site: string) => (await rules.list(caller, { site_id: site, include_total: true }, PAGE)).total
  /** Returns a check of the caller that fails during the second batch only, as in an outage of storage. */
  const awayOnce = () => {
    let calls = 0
    return () => (++calls === 2 ? Promise.reject(unavailable('Storage', 1, null)) : Promise.resolve(caller))
  }

  test('continues after an outage, whose lines fail, and retires nothing in the end', async () => {
    const site = await siteWithOld()
    const push = await begin(site, { renewCaller: awayOnce(), faultOf })
    const batches = await Array.fromAsync(push.run(lines(0, 500)))
    assert.deepEqual(
      batches.map(({ outcomes }) => [outcomes.length, new Set(outcomes.map((outcome) => outcome?.status))]),
      [
        [200, new Set(['created'])],
        [200, new Set(['failed'])],
        [100, new Set(['created'])],
      ],
    )
    assert.equal(await push.finish(), null)
    const products = await names(site)
    assert.deepEqual([products.size, products.has('p-900')], [301, true])
  })

  test('without faultOf ends at the first outage, and keeps what it has stored', async () => {
    const site = await siteWithOld()
    const push = await begin(site, { renewCaller: awayOnce() })
    await assert.rejects(Array.fromAsync(push.run(lines(0, 500))), { kind: 'unavailable' })
    const products = await names(site)
    assert.deepEqual([products.size, products.has('p-900')], [201, true])
  })

  test('checks the credential before each page of retired products, and tells how many were retired when it is refused on the way', async () => {
    const site = await newSite()
    await Array.fromAsync((await begin(site)).run(lines(0, 1_100)))
    let isEnding = false
    let checks = 0
    const renewCaller = async () => {
      if (isEnding && ++checks > 2) throw unauthorized(['header', 'authorization'], 'The key is revoked')
      return caller
    }
    const push = await begin(site, { renewCaller, faultOf })
    await Array.fromAsync(push.run(lines(2_000, 2_001)))
    isEnding = true
    const outcome = await push.finish()
    assert.ok(outcome !== null)
    const { retired, unnamed, refusal } = outcome
    assert.deepEqual([unnamed, refusal], [1_100, 'stopped'])
    assert.ok(retired > 0 && retired < 1_100, String(retired))
    assert.equal(await countOf(site), 1_101 - retired)
    const line = finishedLine(outcome)
    assert.deepEqual([line.status, line.retired, line.would_retire], ['finished', retired, 1_100])
    assert.equal(
      line.reason,
      `Only ${retired} of 1100 products that the feed does not name were retired: The key is revoked. Send it again`,
    )
  })

  for (const dryRun of [false, true]) {
    test(`a revoked key keeps nothing by lines that are refused${dryRun ? ', and is told nothing by a dry run' : ''}`, async () => {
      const site = await siteWithOld()
      const target = { site, source: 'feed', dryRun, maxRetired: { percent: 100, atLeast: 0 } } as const
      let checks = 0
      const renewCaller = async () => {
        checks++
        throw unauthorized(['header', 'authorization'], 'The key is revoked')
      }
      const push = await rules.beginPush(caller, target, { tally: new LineTally(), renewCaller, faultOf })
      const runOf = async () => {
        const { id } = (await rules.list(caller, { site_id: site }, PAGE)).products[0]
        const row = service.database.queries.selectFrom('products').select('sync_run').where('id', '=', id)
        return (await row.executeTakeFirstOrThrow()).sync_run
      }
      const before = await runOf()
      const refused = async function* (): AsyncGenerator<ProductLine> {
        yield { line: 1, bytes: 0, externalId: 'p-900' }
      }
      assert.deepEqual((await Array.fromAsync(push.run(refused())))[0].outcomes, [null])
      assert.deepEqual([checks, await runOf()], [1, before])
      assert.equal(await push.finish(), null)
    })
  }

  test('retires nothing for a feed that was given up as useless', async () => {
    const site = await siteWithOld()
    const tally = new LineTally()
    const push = await begin(site, { tally })
    for await (const batch of push.run(lines(0, 500))) {
      // As if these lines had been among ten thousand bad ones.
      tally.line += batch.lines.length
      tally.failed = 20_000
    }
    assert.equal(tally.line, 200)
    assert.equal(await push.finish(), null)
    assert.ok((await names(site)).has('p-900'))
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTenant } from '../../../composition/new-tenant.ts'
import { parseSettings } from '../../../identity/tenants/settings.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { SCOPES } from '../../../platform/access/scopes.ts'
import { type Database, openDatabase } from '../../../platform/database/database.ts'
import { migrate } from '../../../platform/database/migrate.ts'
import { onEachDatabase, type TestDatabase } from '../../../../test/support/databases.ts'
import { SiteRules } from '../../sites/rules.ts'
import { forgetRetiredOfSite, siteHasProducts } from '../site-rules.ts'
import { MerchandisingInForce, SITES_MAX } from './in-force.ts'
import { MerchandisingRules } from './rules.ts'

const KIBIBYTE = 1_024

function callerOf(id: string, watermark: number): Caller {
  return {
    tenant: { id, ownHost: false, settings: parseSettings('{}'), embeddingModel: null, watermark },
    userId: null,
    credentialId: null,
    credentialKind: null,
    scopes: new Set(SCOPES),
    ceiling: 'restricted',
    workspaceIds: [],
    audit: { source: 'test', clientId: null },
  }
}

onEachDatabase('merchandising in force', (kind) => {
  let place: TestDatabase
  let database: Database
  const sites: string[] = []

  before(async () => {
    place = await kind.createMigrated()
    database = openDatabase(place.options)
    await migrate(database)
    const rules = new MerchandisingRules(database)
    const siteRules = new SiteRules(database, { siteHasProducts, forgetRetiredOfSite })
    for (const tenant of ['one', 'two']) {
      await createTenant(database, { id: tenant, name: tenant, host: null })
      for (let i = 0; i < SITES_MAX + 5; i++) {
        const site = await siteRules.create(callerOf(tenant, 0), { slug: `s${i}`, name: `Shop ${i}` })
        const rule = { name: 'x'.repeat(200), action: 'hide' as const, brands: ['b'.repeat(200)] }
        await rules.create(callerOf(tenant, 0), site.id, rule)
        if (tenant === 'one') sites.push(site.id)
      }
    }
  })
  after(async () => {
    await database.close()
    await place.remove()
  })

  test('what a process keeps of rules stays within its bytes, over all sites and tenants', async () => {
    const inForce = new MerchandisingInForce(database, 16 * KIBIBYTE)
    let most = 0
    for (let turn = 0; turn < 3; turn++) {
      for (const site of sites) {
        const { rules } = (await inForce.of(callerOf('one', 1_000).tenant, site))!
        assert.equal(rules.length, 1)
        await inForce.of(callerOf('two', 1_000).tenant, null)
        most = Math.max(most, inForce.bytes)
      }
    }
    assert.ok(most > 8 * KIBIBYTE && most <= 2 * 16 * KIBIBYTE, `${most} bytes`)
  })

  test('rules that are asked for again and again stay, and those without requests go', async () => {
    const inForce = new MerchandisingInForce(database, 16 * KIBIBYTE)
    const { tenant } = callerOf('one', 1_000)
    const rulesOf = async (site: string) => inForce.rulesOf(tenant, site)
    const [popular, forgotten, ...others] = sites
    const [kept, gone] = [await rulesOf(popular), await rulesOf(forgotten)]
    for (const site of others) {
      await rulesOf(site)
      assert.equal(await rulesOf(popular), kept, 'the same object, not read again')
    }
    assert.notEqual(await rulesOf(forgotten), gone)
  })

  test('the sites with rules are counted no further than a search looks', async () => {
    const inForce = new MerchandisingInForce(database)
    const siteIds = await inForce.sitesWithRules(callerOf('one', 1_000).tenant)
    assert.equal(siteIds.length, SITES_MAX + 1)
    assert.ok(siteIds.every((id) => sites.includes(id)))
  })
})

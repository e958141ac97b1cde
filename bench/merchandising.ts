/**
 * Measures what merchandising costs a search: 200 rules of a site and 1,000 synonyms of its tenant, read anew for each
 * search and kept, on the embedded database.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTenant } from '../src/composition/new-tenant.ts'
import { parseSettings } from '../src/identity/tenants/settings.ts'
import { SCOPES } from '../src/platform/access/scopes.ts'
import type { Caller } from '../src/platform/access/caller.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { merchandise } from '../src/shop/products/merchandising/compile.ts'
import { MerchandisingInForce } from '../src/shop/products/merchandising/in-force.ts'
import { MerchandisingRules } from '../src/shop/products/merchandising/rules.ts'
import { listSites } from '../src/shop/sites/rules.ts'
import { madeUpProducts } from './support/made-up-products.ts'
import { fixed } from './support/table.ts'

const RULES = 200
const SYNONYMS = 1_000
const SEARCHES = 500

const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-'))
const database = openDatabase({ dataDir: folder, databaseUrl: null })
try {
  await migrate(database)
  await createTenant(database, { id: 'shop', name: 'shop', host: null })
  const [site] = await listSites(database.queries, 'shop')
  const caller: Caller = {
    tenant: { id: 'shop', ownHost: false, settings: parseSettings('{}'), embeddingModel: null, watermark: 0 },
    userId: null,
    credentialId: null,
    credentialKind: null,
    scopes: new Set(SCOPES),
    ceiling: 'restricted',
    workspaceIds: [],
    audit: { source: 'bench', clientId: null },
  }
  const titles = madeUpProducts(SYNONYMS).map(({ title }) => (title as string).split(' '))
  const rules = new MerchandisingRules(database)
  for (const [i, [one, two]] of titles.slice(0, RULES).entries()) {
    const query = { query: `${one} ${two}`, match: 'contains' } as const
    await rules.create(caller, site.id, { name: `Rule ${i}`, action: 'boost', brands: [one], ...query })
  }
  const synonyms = titles.map(([one, two]) => ({ words: [one, two] }))
  await rules.replaceVocabulary(caller, { synonyms, stop_words: ['the'] })

  const asked = {
    category: null,
    under: null,
    brand: null,
    nowMs: Date.now(),
    variantStrategy: 'all',
    scoreMax: 10,
  } as const
  const measure = async (inForce: () => MerchandisingInForce): Promise<number> => {
    const began = process.cpuUsage()
    for (let i = 0; i < SEARCHES; i++) {
      const found = await inForce().of(caller.tenant, site.id)
      merchandise(found!, { ...asked, query: titles[i].slice(0, 3).join(' ') })
    }
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1_000 / SEARCHES
  }
  const kept = new MerchandisingInForce(database)
  await measure(() => kept)
  const [anewMs, keptMs] = [await measure(() => new MerchandisingInForce(database)), await measure(() => kept)]
  console.log(`Processor time for each search under ${RULES} rules and ${SYNONYMS} synonyms:`)
  console.log(`read anew ${fixed(anewMs, 2)} ms, kept ${fixed(keptMs, 3)} ms`)
} finally {
  await database.close()
  rmSync(folder, { recursive: true })
}

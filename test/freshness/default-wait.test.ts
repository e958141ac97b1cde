import { after, before, test } from 'node:test'
import * as fc from 'fast-check'
import { SEARCH } from '../../src/config/topics/search.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import type { Scope } from '../../src/platform/access/scopes.ts'
import type { OrderedVisibility } from '../../src/platform/access/visibility.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { ADMIN_KEY, ServiceProcess } from '../durability/service-process.ts'
import { isThoroughOn, onAnyDatabase, type TestDatabase } from '../support/databases.ts'
import { until } from '../support/patience.ts'
import { SEED } from '../support/seed.ts'
import { inTier } from '../support/tier.ts'
import { histories } from './histories.ts'
import { HistoryRun } from './history-run.ts'
import { SmallChanges } from './small-changes.ts'

const RUNS = inTier({ gate: 2, all: 8 })
/** Runs on a database that is not covered thoroughly. */
const FEW_RUNS = 1
const SIZES = inTier({
  gate: { imported: 150, imports: 4, writers: 3, items: 10, steps: 12, searches: 12 },
  all: { imported: 200, imports: 10, writers: 6, items: 20, steps: 40, searches: 60 },
})
/** Writes whose texts the next search looks for. */
const SMALL_CHANGES = inTier({ gate: 20, all: 200 })
const READS: readonly Scope[] = ['knowledge:read', 'products:read', 'sites:read']

onAnyDatabase('freshness between two processes at the default wait', (kind) => {
  let place: TestDatabase
  let processes: ServiceProcess[] = []
  let categories: string[]
  let site: string
  /** A key for each ceiling. That of `restricted` is an administrator's. */
  let keys: Readonly<Record<string, string>>

  before(async () => {
    place = await kind.createMigrated()
    // The other tests of services wait for texts as long as it takes.
    const wait = { [SEARCH.settings.searchFreshWaitMs.name]: SEARCH.settings.searchFreshWaitMs.default! }
    const first = await ServiceProcess.start(place, wait)
    processes = [first, await ServiceProcess.start(place, wait)]
    const create = async (path: string, body: object): Promise<string> =>
      (await first.call('POST', `/api/knowledge/${path}`, { body })).body.id
    categories = [await create('categories', { name: 'One' }), await create('categories', { name: 'Two' })]
    site = await create('sites', { slug: 'shop', name: 'Shop' })
    keys = {
      public: await readingKey(place, 'public'),
      internal: await readingKey(place, 'internal'),
      restricted: ADMIN_KEY,
    }
  })
  after(async () => {
    await Promise.all(processes.map((service) => service.stop()))
    await place.remove()
  })

  test('a small change is found by the next search in the other process, unless that says what it lacks', async () => {
    const changes = new SmallChanges(processes, { category: categories[0], site }, keys)
    while (changes.checked < SMALL_CHANGES) await changes.check()
    await until(async () => {
      if (changes.complete === 0) await changes.check()
      return changes.complete > 0
    }, 'an answer at the default wait lacks nothing')
  })

  test('no search sees an older value than when it began, whatever is written beside it', async () => {
    let run = 0
    const property = fc.asyncProperty(histories(SIZES, { categories, site }), (history) =>
      new HistoryRun(processes, keys, site, `run-${run++}`).tell(history),
    )
    await fc.assert(property, { numRuns: isThoroughOn(kind) ? RUNS : FEW_RUNS, seed: SEED, endOnFailure: true })
  })
})

async function readingKey(place: TestDatabase, ceiling: OrderedVisibility): Promise<string> {
  const database = openDatabase(place.options)
  const scopes: Scope[] = [...READS, `visibility:${ceiling}`]
  const { key } = await issueApiKey(database, 'default', { name: ceiling, scopes, userId: null, expiresAt: null })
  await database.close()
  return key
}

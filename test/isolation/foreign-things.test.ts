import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { isThoroughOn, onEachDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { ask, each } from './answers.ts'
import { isGuarded, questionOf, ROWS } from './rows.ts'
import { assertUntouched } from './tables.ts'
import { isRefusedOrEmpty, namedBy, otherwiseAsked } from './variations.ts'
import { buildRealm, type Realm, UNKNOWN } from './world.ts'
import { until } from '../support/patience.ts'

/** Routes that accept an API key. */
const ROUTES = Object.entries(ROWS)
  .filter(([, row]) => isGuarded(row) || row.optional)
  .map(([route]) => route)

onEachDatabase('things of another tenant', (kind) => {
  /**
   * Whether requests are asked in every way, from every kind of tenant. If not, they are asked in one way, which runs
   * the same statements.
   */
  const isThorough = isThoroughOn(kind)
  let service: TestService
  let pairs: (readonly [near: Realm, far: Realm])[]

  before(async () => {
    service = await TestService.start(kind, { RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '0' })
    const [plain, far] = [await buildRealm(service, 'plain', false), await buildRealm(service, 'far', false)]
    pairs = [[plain, far]]
    if (isThorough) pairs.push([await buildRealm(service, 'crews', true), far], [far, plain])
    for (const [near] of pairs) await onlyFirstSearchLogged(near)
  })
  after(() => service.stop())

  /**
   * Turns the search log off and waits until the realm's first search is logged. Searches for unknown sites would stand
   * in the asker's analytics, beside what must not be there.
   */
  async function onlyFirstSearchLogged({ tenant, owner, ids }: Realm): Promise<void> {
    await changeTenant(service.database, tenant, { settings: { searchLog: 'false' } })
    const figures = () => ask(service, owner, questionOf('GET /api/knowledge/analytics/search', ids))
    await until(async () => (await figures()).json.total.searches > 0, 'the first search is logged')
  }

  test('are answered like ones that do not exist, wherever a request can name them', async () => {
    // Requests that name nothing are left out: they would only create or rename.
    const cells = pairs.flatMap(([near, { ids }]) =>
      ROUTES.flatMap((route) =>
        namedBy(route, near.ids).map((name) => ({
          route,
          name,
          asker: near.owner,
          foreign: questionOf(route, { ...near.ids, [name]: ids[name] }),
          unknown: questionOf(route, { ...near.ids, [name]: UNKNOWN }),
        })),
      ),
    )
    const tenants = [...new Set(pairs.flat().map((realm) => realm.tenant))]
    await assertUntouched(service.database, tenants, () =>
      each(cells, async ({ route, name, asker, foreign, unknown }) => {
        const ofAnother = await ask(service, asker, foreign)
        const { always: status } = ROWS[route]
        const always = typeof status === 'object' ? status[name] : status
        if (always === undefined) assert.ok(isRefusedOrEmpty(ofAnother), `${route}: ${ofAnother.bytes}`)
        else assert.equal(ofAnother.status, always, route)
        const ofNobody = await ask(service, asker, unknown)
        assert.equal(ofAnother.bytes, ofNobody.bytes, `${route} ${JSON.stringify(foreign)}`)
        if (!isThorough) return
        for (const vary of otherwiseAsked(route)) {
          const [one, other] = await Promise.all([foreign, unknown].map((each) => ask(service, asker, vary(each))))
          assert.equal(one.bytes, other.bytes, `${route} ${JSON.stringify(vary(foreign))}`)
        }
      }),
    )
  })
})

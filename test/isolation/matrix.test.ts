import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { isWhole } from '../support/tier.ts'
import { ask, type Credential, each, type Question, type RawAnswer } from './answers.ts'
import { cellsOf, prepareCells, statesOf } from './cells.ts'
import { ACTIONS } from './model.ts'
import { type Ids, isGuarded, questionOf, ROWS, unmatchedRows } from './rows.ts'
import { assertUntouched } from './tables.ts'
import { isRefusedOrEmpty, namedBy, OTHERWISE_ASKED, same, variantsOf } from './variations.ts'
import { type Asker, badCredentials, buildRealm, PAGE, type Realm, seenBy, UNKNOWN } from './world.ts'

/** Routes that a publishable key opens, written out again: a route that is open by mistake fails. */
const OPEN_TO_VISITORS = [
  'POST /api/knowledge/search',
  'POST /api/knowledge/search/clicks',
  'POST /api/knowledge/knowledge-entries/search',
  'POST /api/knowledge/products/search',
  'GET /api/knowledge/suggest',
]

onAnyDatabase('every route for every caller', (kind) => {
  let service: TestService
  let realms: Realm[]
  let bad: Record<string, Credential>
  const routes = Object.entries(ROWS)
  const guarded = routes.filter(([, row]) => isGuarded(row))
  /** Routes that accept an API key or another credential. */
  const optional = routes.filter(([, row]) => row.optional)
  const withKey = [...guarded, ...optional]

  before(async () => {
    // One address sends thousands of requests here.
    service = await TestService.start(kind, {
      RATE_LIMIT_PUBLISHABLE_PER_MINUTE: '0',
      RATE_LIMIT_OPERATOR_PER_MINUTE: '0',
    })
    realms = [
      await buildRealm(service, 'plain', false),
      await buildRealm(service, 'crews', true),
      await buildRealm(service, 'far', false),
    ]
    bad = await badCredentials(service, 'plain')
  })
  after(() => service.stop())

  const send = (who: Credential, question: Question): Promise<RawAnswer> => ask(service, who, question)

  test('each route of the document has a row, with the scopes the document names, and each row a route', async () => {
    const { json: document } = await send({ authorization: null }, { method: 'GET', path: '/openapi.json' })
    assert.deepEqual(unmatchedRows(document), [])
    for (const [path, methods] of Object.entries<Record<string, { 'x-scopes'?: string[] }>>(document.paths)) {
      for (const [method, { 'x-scopes': scopes = [] }] of Object.entries(methods)) {
        const route = `${method.toUpperCase()} ${path}`
        assert.deepEqual(scopes, ROWS[route].scopes, route)
      }
    }
  })

  test('a route without a row, and a row without a route, fail with a message that says what to do', () => {
    const [message, ...leftOver] = unmatchedRows({ paths: { '/api/new': { get: {} } } })
    assert.match(message, /^GET \/api\/new has no row: add it to ROWS in test\/isolation\/rows.ts/)
    assert.equal(leftOver.length, routes.length)
  })

  test('an invalid credential gets the same answer for every request', () =>
    assertUntouched(service.database, ['plain'], async () => {
      const cells = guarded.flatMap(([route]) => Object.entries(bad).map(([why, who]) => ({ route, why, who })))
      const answers = await each(cells, async ({ route, why, who }) => {
        const answer = await send(who, questionOf(route, realms[0].ids))
        assert.deepEqual([answer.status, answer.headers.get('www-authenticate')], [401, 'Bearer'], `${route}, ${why}`)
        return { why, bytes: answer.bytes }
      })
      for (const [why, alike] of Map.groupBy(answers, (answer) => answer.why)) {
        assert.equal(new Set(alike.map(({ bytes }) => bytes)).size, 1, why)
      }
    }))

  test('an invalid API key is refused even where other credentials are accepted', () =>
    assertUntouched(service.database, ['plain'], async () => {
      for (const [route] of optional) {
        await each(Object.entries(bad), async ([why, who]) => {
          const answer = await send(who, questionOf(route, realms[0].ids))
          // With another client's name in the form, a name in the header is a contradiction and not a refusal.
          const refused = why === 'of another scheme' ? [400, 401] : [401]
          assert.ok(refused.includes(answer.status), `${route}, ${why}: ${answer.text}`)
        })
      }
    }))

  test('a route of operators refuses every credential of a tenant alike, whatever it may do there', () =>
    assertUntouched(service.database, ['plain'], async () => {
      const { 'of an operator': operator, ...others } = bad
      const callers = [...Object.values(others), ...realms.flatMap((realm) => [...realm.askers, realm.visitor])]
      for (const [route] of routes.filter(([, row]) => row.operator)) {
        const answers = await each(callers, (who) => send(who, questionOf(route, realms[0].ids)))
        assert.equal(answers[0].status, 401, route)
        assert.deepEqual([...new Set(answers.map(({ bytes }) => bytes))], [answers[0].bytes], route)
      }
      const { status } = await send(operator, questionOf('GET /api/operator/tenants/{tenant_id}', realms[0].ids))
      assert.equal(status, 200)
    }))

  test('a route that needs no credential gives every caller the same answer', async () => {
    for (const [route] of routes.filter(([, row]) => !isGuarded(row) && !row.optional && !row.operator)) {
      const callers = [...Object.values(bad), ...realms.map((realm) => realm.owner)]
      const answers = await each(callers, async (who) => (await send(who, questionOf(route, realms[0].ids))).bytes)
      assert.deepEqual([...new Set(answers)], [answers[0]], route)
    }
  })

  test('routes outside the document are open to every caller, and none of them names a tenant, user or entry', async () => {
    const names = realms.flatMap(({ tenant, subjects, owner }) => [
      `"${tenant}"`,
      owner.userId!,
      ...subjects.flatMap(({ id, name }) => [id, `Leuchtturm ${name}`]),
    ])
    for (const path of ['/openapi.json', '/docs', '/metrics', '/console', '/oauth/interaction/unknown']) {
      const { status, text } = await send({ authorization: null }, { method: 'GET', path })
      assert.equal(status, 200, path)
      assert.deepEqual(
        names.filter((name) => text.includes(name)),
        [],
        path,
      )
    }
  })

  test('without one of its scopes a route is closed, and the answer does not depend on what was asked', async () => {
    const [{ ids, owner }, , far] = realms
    const poor = new Map<string, string>()
    const others = (scope: string) => [...ACTIONS.filter((action) => action !== scope), 'visibility:restricted']
    for (const action of ACTIONS) poor.set(action, await service.key(others(action), 'plain'))
    const cells = withKey.flatMap(([route, { scopes }]) => scopes.map((scope) => ({ route, scope, scopes })))
    const closed = async ({ route, scope, scopes }: (typeof cells)[number]): Promise<void> => {
      const without = { authorization: `Bearer ${poor.get(scope)}` }
      const narrowed = { ...owner, xScopes: others(scope).join(' ') }
      const questions = [ids, far.ids, unknownIds(ids)].map((about) => questionOf(route, about))
      const answers = await Promise.all([without, narrowed].flatMap((who) => questions.map((q) => send(who, q))))
      assert.equal(answers[0].status, 403, route)
      assert.match(answers[0].headers.get('www-authenticate')!, new RegExp(`scope="${scopes.join(' ')}"`))
      for (const { bytes } of answers) assert.equal(bytes, answers[0].bytes, route)
    }
    await assertUntouched(service.database, ['plain', 'far'], () => each(cells, closed))
  })

  test('its scopes alone open a route', async () => {
    const [{ ids, owner }] = realms
    const keyed = withKey.filter(([, row]) => isGuarded(row) || row.scopes.length > 0)
    await each(keyed, async ([route, { scopes, either = [], refuses = false }]) => {
      const xScopes = `${[...scopes, ...either.slice(0, 1)].join(' ')} visibility:restricted`
      const { status, text } = await send({ ...owner, xScopes }, questionOf(route, unknownIds(ids)))
      assert.ok(status < 500 && status !== 401 && (status === 403) === refuses, `${route}: ${text}`)
    })
  })

  test('a publishable key opens search, suggestions and clicks; every other route is closed to it', async () => {
    const [{ ids, visitor, siteVisitors }, , far] = realms
    const visitors = [visitor, siteVisitors.full, siteVisitors.empty]
    const questionsOf = (route: string) => [ids, far.ids, unknownIds(ids)].map((about) => questionOf(route, about))
    const closed = withKey.map(([route]) => route).filter((route) => !OPEN_TO_VISITORS.includes(route))
    assert.equal(closed.length, withKey.length - OPEN_TO_VISITORS.length)
    const cells = closed.flatMap((route, i) =>
      (isWhole ? visitors : [visitors[i % visitors.length]]).flatMap((who) =>
        questionsOf(route).flatMap((question) => [
          { route, who, question },
          { route, who, question: { ...question, headers: { origin: PAGE } } },
        ]),
      ),
    )
    await assertUntouched(service.database, ['plain', 'far'], async () => {
      const answers = await each(cells, async ({ route, who, question }) => ({ route, ...(await send(who, question)) }))
      for (const [route, alike] of Map.groupBy(answers, (answer) => answer.route)) {
        assert.equal(alike[0].status, 403, route)
        for (const { bytes } of alike) assert.equal(bytes, alike[0].bytes, route)
      }
    })
    for (const route of OPEN_TO_VISITORS) {
      const { status, text } = await send(siteVisitors.full, questionOf(route, ids))
      assert.ok(status === 200 || status === 202, `${route}: ${text}`)
    }
  })

  test('a publishable key in the address opens what it opens in the header, byte for byte, and no other route', async () => {
    const [{ ids, siteVisitors }, , far] = realms
    for (const who of [siteVisitors.full, siteVisitors.empty, far.visitor]) {
      const inAddress = { ...who, isKeyInAddress: true as const }
      for (const route of OPEN_TO_VISITORS) {
        const question = questionOf(route, ids)
        const answer = await send(inAddress, question)
        assert.equal(answer.bytes, (await send(who, question)).bytes, `${route} by ${who.name}`)
        assert.ok(answer.status !== 401, `${route} by ${who.name}`)
      }
    }
    const inAddress = { ...siteVisitors.full, isKeyInAddress: true as const }
    const closed = guarded.map(([route]) => route).filter((route) => !OPEN_TO_VISITORS.includes(route))
    await assertUntouched(service.database, ['plain', 'far'], () =>
      each(closed, async (route) => {
        const question = questionOf(route, ids)
        const answer = await send(inAddress, question)
        assert.equal(answer.status, 401, route)
        assert.equal(answer.bytes, (await send({ authorization: null }, question)).bytes, route)
      }),
    )
  })

  test('a key in the address that is unknown, revoked or no publishable one is refused like none at all', async () => {
    const [{ ids, owner }] = realms
    const keys = ['unknown and publishable', 'revoked and publishable', 'unknown', 'revoked', 'expired']
    const refused = [...keys.map((why) => bad[why]), owner]
    for (const route of OPEN_TO_VISITORS) {
      const answers = await each(refused, (who) => send({ ...who, isKeyInAddress: true }, questionOf(route, ids)))
      for (const { status, headers, text } of answers) {
        assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'], `${route}: ${text}`)
      }
    }
  })

  test('to a visitor a thing of another tenant, or of a site the key is not for, is like one that does not exist', async () => {
    const [plain, crews, far] = realms
    for (const [near, other] of [
      [plain, far],
      [crews, far],
      [far, plain],
    ]) {
      const { visitor, siteVisitors, ids } = near
      const cells = OPEN_TO_VISITORS.flatMap((route) =>
        namedBy(route, ids).flatMap((name) =>
          [visitor, siteVisitors.full].map((who) => ({ route, name, who, foreign: other.ids[name] })),
        ),
      )
      const ofAnotherSite = OPEN_TO_VISITORS.filter((route) => namedBy(route, ids).includes('site_id')).map(
        (route) => ({
          route,
          name: 'site_id' as const,
          who: siteVisitors.empty,
          foreign: ids.site_id,
        }),
      )
      await each([...cells, ...ofAnotherSite], async ({ route, name, who, foreign }) => {
        const about = (id: string) => questionOf(route, { ...ids, [name]: id })
        const named = await send(who, about(foreign))
        assert.equal(named.bytes, (await send(who, about(UNKNOWN))).bytes, `${route} ${name} by ${who.name}`)
        if (ROWS[route].always === undefined) assert.ok(isRefusedOrEmpty(named), `${route}: ${named.bytes}`)
      })
    }
  })

  test('in a combined search each scope opens its own section, and without scopes there is none', async () => {
    const [{ ids, owner }, , far] = realms
    const route = 'POST /api/knowledge/search'
    const as = (xScopes: string, about: Ids) => send({ ...owner, xScopes }, questionOf(route, about))
    for (const [scope, section] of [
      ['products:read', 'products'],
      ['knowledge:read', 'knowledge'],
    ]) {
      const { json } = await as(`${scope} visibility:restricted`, ids)
      assert.deepEqual(
        json.sections.map((one: { section: string; hits: object[] }) => [one.section, one.hits.length > 0]),
        [[section, true]],
      )
    }
    const others = ACTIONS.filter((action) => !ROWS[route].either!.includes(action)).join(' ')
    const closed = await each([ids, far.ids, unknownIds(ids)], (about) => as(others, about))
    for (const { status, bytes } of closed) assert.deepEqual([status, bytes], [403, closed[0].bytes])
  })

  test('of suggestions each scope opens its own section, also where none is named, and no other', async () => {
    const [{ ids, owner }] = realms
    const as = (scope: string, query: string) =>
      send(
        { ...owner, xScopes: `${scope} visibility:restricted` },
        { method: 'GET', path: `/api/knowledge/suggest?q=Leucht&site_id=${ids.site_id}${query}` },
      )
    const shop = await as('products:read', '')
    assert.deepEqual([shop.json.products.length, 'entries' in shop.json], [2, false])
    const staff = await as('knowledge:read', '&section=knowledge')
    assert.deepEqual([staff.json.products, staff.json.entries.length], [[], 5])
    const unnamed = await as('knowledge:read', '')
    assert.deepEqual([unnamed.json.products, unnamed.json.entries.length], [[], 5])
    const both = '&section=knowledge&section=products'
    const closed = [as('products:read', '&section=knowledge'), as('knowledge:read', both)]
    assert.deepEqual(
      (await Promise.all(closed)).map(({ status }) => status),
      [403, 403],
    )
  })

  test('a caller is suggested every entry that they see, and no other', async () => {
    for (const realm of realms.slice(0, 2)) {
      await each(
        realm.askers.filter(({ can }) => can.has('knowledge:read')),
        async (asker) => {
          const path = '/api/knowledge/suggest?q=Leuchtturm&section=knowledge&limit=20'
          const { json } = await send(asker, { method: 'GET', path })
          const seen = seenBy(realm, asker).map(({ id }) => id)
          assert.deepEqual(json.entries.map(({ id }: { id: string }) => id).sort(), seen.sort(), asker.name)
        },
      )
    }
  })

  for (const [route, row] of routes.filter(([, { entry }]) => entry !== undefined)) {
    test(`${route}: callers who see the entry get it; for others it does not exist`, async () => {
      for (const realm of realms.slice(0, 2)) {
        const cells = await prepareCells(service.database, realm, cellsOf(realm, row), route)
        const absent = new Map<string, Promise<RawAnswer>>()
        const nameOf = ({ asker, subject }: (typeof cells)[number]) =>
          `${route} of ${subject.name} in ${realm.tenant} by ${asker.name}`
        const asksOtherwise = isWhole ? new Set(cells) : oneHiddenEach(realm.askers, cells)
        const states = async () => (row.entry!.changes ? statesOf(service.database, realm.tenant, cells) : [])
        const before = await states()
        await each(cells, async (cell) => {
          const { asker, ids } = cell
          const name = nameOf(cell)
          const answer = await send(asker, questionOf(route, ids))
          if (cell.isSeen) {
            assert.equal(answer.status, row.entry!.seen, `${name}: ${answer.text}`)
            const others = seenBy(realm, asker).length
            if (row.entry!.counts) assert.deepEqual(answer.json, row.entry!.counts(others, ids), name)
            return
          }
          assert.equal(answer.status, row.entry!.unseen, `${name}: ${answer.text}`)
          const otherwise = asksOtherwise.has(cell) ? [...variantsOf(route), ...OTHERWISE_ASKED] : []
          for (const [i, vary] of [same, ...otherwise].entries()) {
            const hidden = vary(questionOf(route, ids))
            const unknown = vary(questionOf(route, { ...ids, entry_id: UNKNOWN }))
            const key = `${asker.name} ${i}`
            if (!absent.has(key)) absent.set(key, send(asker, unknown))
            assert.equal((await send(asker, hidden)).bytes, (await absent.get(key)!).bytes, JSON.stringify(hidden))
          }
        })
        for (const [i, now] of (await states()).entries()) {
          assert.equal(now !== before[i], cells[i].isSeen, nameOf(cells[i]))
        }
      }
    })
  }
})

/**
 * Returns for each asker one entry that they do not see, for each asker another one, so that every level is among them.
 */
function oneHiddenEach<C extends { readonly asker: Asker; readonly isSeen: boolean }>(
  askers: readonly Asker[],
  cells: readonly C[],
): Set<C> {
  const chosen = askers.map((asker, i) => {
    const hidden = cells.filter((cell) => cell.asker === asker && !cell.isSeen)
    return hidden[i % hidden.length]
  })
  return new Set(chosen.filter((cell) => cell !== undefined))
}

function unknownIds(ids: Ids): Ids {
  return Object.fromEntries(Object.keys(ids).map((name) => [name, UNKNOWN])) as never
}

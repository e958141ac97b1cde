import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { eraseUser, finishErasures } from '../../src/composition/erase-user.ts'
import { startTenantKeeper } from '../../src/composition/tenants/keeper.ts'
import { removeDueTenants } from '../../src/composition/tenants/removal.ts'
import { TENANT_TABLES } from '../../src/composition/tenants/removal-store.ts'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { claimJobs, enqueueJobs, nextDueAt } from '../../src/embedding/job-store.ts'
import { sweepLog } from '../../src/insights/search-log/sweep.ts'
import { tenantsThatLearn } from '../../src/insights/learning/boost-store.ts'
import { ReplicaUse } from '../../src/search/engines/replica-use.ts'
import { onAnyDatabase, onEachDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import { buildRealm } from '../isolation/world.ts'
import { Browser } from '../sessions/browser.ts'
import type { Answer } from '../support/service.ts'
import { CATEGORIES, OperatorStage, said, TENANTS } from './stage.ts'

const DAY_MS = 86_400_000
const NO_WORK = { requests: 0, work_ms: 0, transferred: 0, index_bytes: 0 }
const NEVER = (error: unknown) => assert.fail(error as Error)

/** Tables whose rows belong to the installation, or outlive the tenant on purpose. */
const OF_NO_TENANT = new Set([
  'tenants',
  'operators',
  'operator_log',
  'removed_tenants',
  'used_logout_tokens',
  'backup_state',
  'embedding_models',
])

onAnyDatabase('a suspended tenant', (kind) => {
  let stage: OperatorStage
  before(async () => {
    stage = await OperatorStage.start(kind)
  })
  after(() => stage.stop())

  const suspend = (id: string) => stage.call('POST', `${TENANTS}/${id}/suspend`)

  test('is refused at once in every process, with a type of its own, and works again when it is resumed', async () => {
    const { key } = await stage.tenant('late-payer')
    const other = await stage.service.sibling()
    try {
      const ask = async () =>
        Promise.all(
          [stage.service.service, other].map(({ url }) => stage.service.call('GET', CATEGORIES, { key }, url)),
        )
      assert.deepEqual(
        (await ask()).map(({ status }) => status),
        [200, 200],
      )
      const { status, body } = await suspend('late-payer')
      assert.deepEqual([status, body.state], [200, 'suspended'])
      for (const answer of await ask()) {
        assert.deepEqual(said(answer), ['403 header.authorization tenant_suspended'])
        assert.match(answer.body.detail[0].msg, /The tenant is suspended/)
      }
      assert.equal((await stage.service.call('GET', CATEGORIES)).status, 200, 'others work')
      assert.deepEqual((await suspend('late-payer')).body.suspended_at, body.suspended_at)
      assert.equal((await stage.call('POST', `${TENANTS}/late-payer/resume`)).body.state, 'active')
      assert.deepEqual(
        (await ask()).map(({ status }) => status),
        [200, 200],
      )
    } finally {
      await other.stop()
    }
  })

  test('says that it is suspended to a person who signs in with the right password, and to no other', async () => {
    const { email, password } = await stage.tenant('closed')
    const signIn = (secret: string) =>
      stage.service.call('POST', '/api/session', {
        key: null,
        body: { email, password: secret },
        headers: { origin: stage.service.service.url },
      })
    const open = await signIn(password)
    const cookie = open.headers.get('set-cookie')!.split(';')[0]
    await suspend('closed')
    assert.deepEqual(said(await signIn(password)), ['403 body tenant_suspended'])
    assert.equal((await signIn(`${password}x`)).status, 401)
    const session = await stage.service.call('GET', '/api/session', { key: null, headers: { cookie } })
    assert.deepEqual(said(session), ['403 header.authorization tenant_suspended'])
  })

  test('renews and ends no token, so that its assistants work again afterwards', async () => {
    await stage.tenant('assisted')
    const { userId, key } = await stage.service.user({ tenant: 'assisted', email: 'person@assisted.example' })
    const origin = stage.service.service.url
    const registered = await stage.service.call('POST', '/oauth/register', {
      key,
      body: {
        client_name: 'App',
        redirect_uris: ['http://127.0.0.1/cb'],
        grant_types: ['client_credentials'],
        response_types: [],
      },
    })
    assert.ok(registered.status < 300, JSON.stringify(registered.body))
    const { client } = await storeOAuthRecords(stage.service.database, { tenantId: 'assisted', userId, origin })
    const form = (fields: Record<string, string>) =>
      stage.service.call('POST', '/oauth/token', {
        key: null,
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    await suspend('assisted')
    for (const id of [client, registered.body.client_id]) {
      const answer = await form({ grant_type: 'client_credentials', client_id: id, client_secret: 'x' })
      assert.deepEqual(said(answer), ['403 body tenant_suspended'])
    }
  })

  test('with a host of its own is refused there, whatever is asked for', async () => {
    await stage.call('POST', TENANTS, { id: 'hosted', host: 'hosted.example' })
    await suspend('hosted')
    for (const [method, path] of [
      ['GET', '/oauth/jwks'],
      ['GET', '/.well-known/oauth-protected-resource'],
      ['GET', '/.well-known/oauth-protected-resource/mcp'],
      ['GET', '/oauth/register/0190f6d1-1f2e-7a3d-9b4c-5d6e7f8a9b0c'],
      ['DELETE', '/oauth/register/0190f6d1-1f2e-7a3d-9b4c-5d6e7f8a9b0c'],
      ['POST', '/oauth/register'],
    ]) {
      const body = method !== 'POST' ? undefined : { client_name: 'x', redirect_uris: ['http://127.0.0.1/cb'] }
      const headers = { host: 'hosted.example' }
      const answer = await stage.service.call(method, path, { key: null, body, headers })
      assert.deepEqual(said(answer), ['403 header.host tenant_suspended'], path)
    }
  })

  test('is changed by no link, whose holder sees nothing of it until it is resumed', async () => {
    const { service } = stage
    const { key } = await stage.tenant('linked')
    const { userId } = await service.user({ tenant: 'linked', email: 'reader@linked.example', role: 'reader' })
    const tokenOf = (answer: Answer): string => answer.body.link.split('#')[1]
    const invited = await service.call('POST', '/api/knowledge/invitations', {
      key,
      body: { email: 'new@linked.example', role: 'reader' },
    })
    const invitation = tokenOf(invited)
    // The first key belongs to the administrator, who may do everything.
    const reset = tokenOf(await service.call('POST', `/api/knowledge/users/${userId}/password-reset`, { key }))
    const password = 'correct horse battery'
    const open = async () => {
      const post = async (path: string, body: object) =>
        (await new Browser(service).call('POST', `/api/session/${path}`, body)).status
      return [
        await post('invitation/show', { token: invitation }),
        await post('invitation', { token: invitation, name: 'New', password }),
        await post('new-password/show', { token: reset }),
        await post('new-password', { token: reset, password }),
      ]
    }
    await suspend('linked')
    assert.deepEqual(await open(), [404, 404, 404, 404])
    await stage.call('POST', `${TENANTS}/linked/resume`)
    assert.deepEqual(await open(), [200, 200, 200, 204])
  })

  test('is left alone by background work, and loses nothing', async () => {
    const { database } = stage.service
    const { key } = await stage.tenant('resting')
    const call = (method: string, path: string, body?: object) => stage.service.call(method, path, { key, body })
    const { id: category } = (await call('POST', CATEGORIES, { name: 'Box' })).body
    const entry = (
      await call('POST', '/api/knowledge/knowledge-entries', { title: 'T', content: 'C', category_id: category })
    ).body
    await call('DELETE', `/api/knowledge/knowledge-entries/${entry.id}`)
    const { id: userId } = (await call('GET', '/api/knowledge/users')).body[0]
    await suspend('resting')
    const far = Date.now() + 5_000 * DAY_MS
    await database.queries
      .insertInto('oauth_clients')
      .values({
        tenant_id: 'resting',
        id: 'unused',
        registration: 'open',
        metadata: '{}',
        secret_hash: null,
        management_hash: null,
        scopes_max: '',
        user_id: null,
        key_id: null,
        created_at: 0,
        last_used_at: null,
      })
      .execute()
    await database.write((tx) => enqueueJobs(tx, 'resting', 'entry', 'a-model', ['an-entry']))
    const over = { tenant_id: 'resting', created_at: 0, expires_at: 1 }
    const { queries } = database
    const link = { ...over, hash: 'a hash' }
    const invitation = { ...link, id: 'an-invitation', email: 'late@x', role: 'reader', ceiling: null }
    await queries
      .insertInto('invitations')
      .values({ ...invitation, invited_by_user_id: null, invited_by_key_id: null })
      .execute()
    await queries
      .insertInto('password_resets')
      .values({ ...link, user_id: userId, given_by_user_id: null, given_by_key_id: null })
      .execute()
    const mail = { tenant_id: 'resting', id: 'a-mail', sealed: '', attempts: 0, next_at: 0, expires_at: 1 }
    await queries.insertInto('mail_outbox').values(mail).execute()
    const tables = [
      'binned_entries',
      'oauth_clients',
      'embedding_jobs',
      'invitations',
      'password_resets',
      'mail_outbox',
    ] as const
    const rowCounts = async () => {
      const counts: number[] = []
      for (const table of tables) {
        const rows = await queries.selectFrom(table).select('tenant_id').where('tenant_id', '=', 'resting').execute()
        counts.push(rows.length)
      }
      return counts
    }
    const sweeper = startSweeper(database, NEVER)
    await sweeper.sweep(far)
    await sweeper.close()
    await sweepLog(database, { now: far })
    assert.deepEqual(await claimJobs(database, 'a-model', '', 32), [])
    assert.equal(await nextDueAt(database.queries, 'a-model'), null, 'or the queue would never sleep')
    assert.ok(!(await tenantsThatLearn(database)).includes('resting'))
    assert.deepEqual(await rowCounts(), [1, 1, 1, 1, 1, 1])
    await stage.call('POST', `${TENANTS}/resting/resume`)
    assert.equal((await claimJobs(database, 'a-model', '', 32)).length, 1)
    const again = startSweeper(database, NEVER)
    await again.sweep(far)
    await again.close()
    assert.deepEqual(await rowCounts(), [0, 0, 1, 0, 0, 0])
  })

  test('gives back its search memory', async () => {
    await stage.tenant('heavy')
    await suspend('heavy')
    const dropped: string[] = []
    const engine = { drop: async (tenantId: string) => void dropped.push(tenantId) }
    const keeper = startTenantKeeper(stage.service.database, engine, NEVER, new ReplicaUse())
    await keeper.keep()
    await keeper.keep()
    await keeper.close()
    assert.equal(dropped.filter((id) => id === 'heavy').length, 1)
  })
})

onAnyDatabase('a tenant that erases a person', (kind) => {
  let stage: OperatorStage
  before(async () => {
    stage = await OperatorStage.start(kind)
  })
  after(() => stage.stop())

  test('has its indexes built anew when the erasure begins and when it is complete, and no other tenant has', async () => {
    const { database } = stage.service
    await stage.tenant('erasing')
    await stage.tenant('staying')
    const { userId } = await stage.service.user({ tenant: 'erasing', email: 'ann@erasing.example', role: 'editor' })
    const dropped: string[] = []
    const keeper = startTenantKeeper(database, { drop: async (id) => void dropped.push(id) }, NEVER, new ReplicaUse())
    await keeper.keep()
    assert.deepEqual(dropped, [])
    await eraseUser(database, 'erasing', userId)
    await keeper.keep()
    await keeper.keep()
    assert.deepEqual(dropped, ['erasing'])
    await finishErasures(database, Date.now() + 3_600_000)
    await keeper.keep()
    await keeper.keep()
    await keeper.close()
    assert.deepEqual(dropped, ['erasing', 'erasing'])
  })
})

onEachDatabase('the removal of a tenant', (kind) => {
  let stage: OperatorStage
  before(async () => {
    stage = await OperatorStage.start(kind)
  })
  after(() => stage.stop())

  const remove = (id: string, days: number) => stage.call('DELETE', `${TENANTS}/${id}?grace_days=${days}`)
  const suspend = (id: string) => stage.call('POST', `${TENANTS}/${id}/suspend`)

  test('needs a suspended tenant, can be moved and cancelled, and the last tenant stays', async () => {
    await stage.tenant('leaving')
    assert.deepEqual(said(await remove('leaving', 0)), ['409 path.tenant_id conflict'])
    await suspend('leaving')
    const { status, body } = await remove('leaving', 30)
    assert.deepEqual([status, body.state], [200, 'removal_planned'])
    assert.ok(Math.abs(Date.parse(body.remove_at) - Date.now() - 30 * DAY_MS) < 60_000)
    assert.deepEqual(said(await stage.call('POST', `${TENANTS}/leaving/resume`)), ['409 path.tenant_id conflict'])
    await removeDueTenants(stage.service.database, { now: Date.now() + 29 * DAY_MS })
    const cancellation = await stage.call('POST', `${TENANTS}/leaving/keep`)
    assert.deepEqual([cancellation.body.state, cancellation.body.remove_at], ['suspended', null])
    await removeDueTenants(stage.service.database, { now: Date.now() + 31 * DAY_MS })
    assert.equal((await stage.call('POST', `${TENANTS}/leaving/resume`)).body.state, 'active')
    await suspend('leaving')
    await remove('leaving', 365)
    await suspend('default')
    assert.deepEqual(said(await remove('default', 0)), ['409 path.tenant_id conflict'])
    await stage.call('POST', `${TENANTS}/default/resume`)
  })

  test('knows every table that has rows of tenants, each before those that it refers to', async () => {
    const { queries } = stage.service.database
    const tables = await queries.introspection.getTables()
    const withTenants = tables.filter(({ columns }) => columns.some(({ name }) => name === 'tenant_id'))
    const named = withTenants.map(({ name }) => name).filter((name) => !OF_NO_TENANT.has(name))
    assert.deepEqual(
      TENANT_TABLES.map(({ table }) => table as string).sort(),
      named.sort(),
      'a table with tenant_id is missing from TENANT_TABLES in src/composition/tenants/removal-store.ts, or gone',
    )
    const references =
      kind.name === 'SQLite'
        ? sql<{ from: string; to: string }>`
            select m.name as "from", f."table" as "to" from sqlite_master m join pragma_foreign_key_list(m.name) f
            where m.type = 'table'`
        : sql<{ from: string; to: string }>`
            select f.relname as "from", t.relname as "to" from pg_constraint c
            join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid where c.contype = 'f'`
    const order = TENANT_TABLES.map(({ table }) => table as string)
    const { rows } = await references.execute(queries)
    const backwards = rows.filter(
      ({ from, to }) => from !== to && to !== 'tenants' && order.indexOf(from) > order.indexOf(to),
    )
    assert.ok(rows.length > 20)
    assert.deepEqual(backwards, [])
  })

  test('deletes everything, goes on after a stop, touches no other tenant and keeps what operators did', async () => {
    const { database } = stage.service
    await buildRealm(stage.service, 'gone', true)
    await buildRealm(stage.service, 'neighbour', true)
    for (const id of ['gone', 'neighbour']) {
      // A chain of categories, which refer to each other, and rows of tables that nothing in a realm fills.
      const { key } = await stage.service.user({ tenant: id, email: `last@${id}.example` })
      let parent: string | null = null
      for (let depth = 0; depth < 5; depth++) {
        const creation = await stage.service.call('POST', CATEGORIES, {
          key,
          body: { name: `c${depth}`, parent_id: parent },
        })
        parent = creation.body.id
      }
      await database.queries
        .insertInto('usage_days')
        .values({ tenant_id: id, day: '2027-01-01', searches: 1, tokens: 1, ...NO_WORK })
        .execute()
    }
    const countsOf = async (tenantId: string) => {
      const counts: Record<string, number> = {}
      // Searches are logged later.
      for (const { table } of TENANT_TABLES.filter((each) => each.table !== 'search_log')) {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(database.queries)
        counts[table] = rows[0].n
      }
      return counts
    }
    const full = await countsOf('gone')
    assert.ok(Object.values(full).filter((count) => count > 0).length >= 20, JSON.stringify(full))
    await suspend('gone')
    await suspend('neighbour')
    // Not due for the running service, which would go on where this test stops.
    assert.equal((await remove('gone', 1)).status, 200)
    const now = Date.now() + 2 * DAY_MS
    const before = await countsOf('neighbour')
    // Stopped in the middle.
    const stopping = new AbortController()
    const counting = {
      ...database,
      write: async (...args: Parameters<typeof database.write>) => {
        if (++writes === 12) stopping.abort()
        return database.write(...args)
      },
    } as typeof database
    let writes = 0
    assert.deepEqual(await removeDueTenants(counting, { now, signal: stopping.signal }), [])
    const { state } = (await stage.call('GET', `${TENANTS}/gone`)).body
    assert.equal(state, 'removing')
    assert.deepEqual(said(await stage.call('POST', `${TENANTS}/gone/keep`)), ['409 path.tenant_id conflict'])
    assert.deepEqual(said(await remove('gone', 3)), ['409 path.tenant_id conflict'])
    const removals = [1, 2].map(() => removeDueTenants(database, { now }))
    assert.deepEqual((await Promise.all(removals)).flat(), ['gone'], 'two processes remove it once')
    assert.deepEqual(
      Object.values(await countsOf('gone')).filter((count) => count > 0),
      [],
    )
    assert.equal((await stage.call('GET', `${TENANTS}/gone`)).status, 404)
    // Its own searches of today may be added meanwhile.
    const { usage_days: days, ...after } = await countsOf('neighbour')
    const { usage_days: daysBefore, ...others } = before
    assert.deepEqual(after, others)
    assert.ok(days >= daysBefore)
    const log = (await stage.call('GET', '/api/operator/log')).body
    assert.deepEqual(
      log
        .filter((item: { resource_id: string }) => item.resource_id === 'gone')
        .map((item: { action: string }) => item.action),
      ['remove', 'plan_removal', 'suspend', 'create'],
    )
    assert.deepEqual(said(await stage.call('POST', TENANTS, { id: 'gone' })), ['409 body.id conflict'])
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import { insertMail } from '../../src/identity/mail/outbox-store.ts'
import { CATEGORIES, OperatorStage, said, TENANTS } from './stage.ts'

onAnyDatabase('an operator and tenants', (kind) => {
  let stage: OperatorStage
  before(async () => {
    stage = await OperatorStage.start(kind)
  })
  after(() => stage.stop())

  const idsOf = (body: { id: string }[]) => body.map(({ id }) => id)

  test('a new tenant has what the command line gives one, its settings, an administrator and a key', async () => {
    const request = {
      id: 'acme',
      name: 'Acme',
      host: null,
      reference: 'customer-1',
      settings: { language: 'EN', bin_days: 7, workspaces: true },
      administrator: { email: 'Boss@acme.example', name: 'Boss' },
      api_key: { name: 'Setup', expires_at: '2100-01-01T00:00:00Z' },
    }
    const { status, body } = await stage.call('POST', TENANTS, request)
    assert.equal(status, 201, JSON.stringify(body))
    const { id, name, reference, state, settings } = body.tenant
    assert.deepEqual([id, name, reference, state], ['acme', 'Acme', 'customer-1', 'active'])
    assert.deepEqual(
      [settings.language, settings.bin_days, settings.workspaces, settings.search_log_days],
      ['en', 7, true, 90],
    )
    const { key } = body.api_key
    const sites = (await stage.service.call('GET', '/api/knowledge/sites', { key })).body
    assert.deepEqual(
      sites.map((site: { slug: string; language: string }) => [site.slug, site.language]),
      [['default', 'en']],
    )
    const session = (await stage.service.call('GET', '/api/session', { key })).body
    assert.deepEqual([session.user.email, session.user.role, session.tenant.id], ['boss@acme.example', 'admin', 'acme'])
    const signIn = await stage.service.call('POST', '/api/session', {
      key: null,
      body: { email: 'boss@acme.example', password: body.administrator.password },
      headers: { origin: stage.service.service.url },
    })
    assert.equal(signIn.status, 200)
    const keys = (await stage.service.call('GET', '/api/knowledge/api-keys', { key })).body
    assert.deepEqual([keys[0].issuer.kind, keys[0].expires_at], ['operator', '2100-01-01T00:00:00.000Z'])
  })

  test('a script that runs again, even at the same moment, creates nothing twice and gets no secret again', async () => {
    const request = { id: 'twice', reference: 'customer-2', api_key: { name: 'Setup' } }
    const answers = await Promise.all([1, 2, 3].map(() => stage.call('POST', TENANTS, request)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 201])
    const again = await stage.call('POST', TENANTS, request)
    assert.deepEqual([again.status, again.body.tenant.id, again.body.api_key], [200, 'twice', null])
    const keys = answers.flatMap(({ body }) => (body.api_key === null ? [] : [body.api_key.key]))
    assert.equal(keys.length, 1)
    assert.equal((await stage.service.call('GET', '/api/knowledge/api-keys', { key: keys[0] })).body.length, 1)
  })

  test('an id, a host or a reference that is taken is a conflict at its place, and so is a reused reference', async () => {
    await stage.call('POST', TENANTS, { id: 'taken', host: 'taken.example', reference: 'customer-3' })
    const fault = async (request: object) => said(await stage.call('POST', TENANTS, request))
    assert.deepEqual(await fault({ id: 'taken' }), ['409 body.id conflict'])
    assert.deepEqual(await fault({ id: 'other', host: 'taken.example' }), ['409 body.host conflict'])
    assert.deepEqual(await fault({ id: 'other', reference: 'customer-3' }), ['409 body.reference conflict'])
    assert.equal((await stage.call('GET', `${TENANTS}/other`)).status, 404)
  })

  test('every faulty field is refused at its place, and nothing is made', async () => {
    for (const [request, place] of [
      [{ id: 'Upper' }, 'body.id string_pattern_mismatch'],
      [{ id: '*' }, 'body.id string_pattern_mismatch'],
      [{ id: 'bad', host: 'No Host' }, 'body.host string_pattern_mismatch'],
      [{ id: 'bad', settings: { language: 'klingon' } }, 'body.settings.language string_too_long'],
      [{ id: 'bad', settings: { language: 'xxx' } }, 'body.settings.language language_parsing'],
      [{ id: 'bad', settings: { bin_days: 1_000 } }, 'body.settings.bin_days less_than_equal'],
      [{ id: 'bad', administrator: { email: 'nobody' } }, 'body.administrator.email value_error'],
      [
        { id: 'bad', api_key: { name: 'k', expires_at: '2001-01-01T00:00:00Z' } },
        'body.api_key.expires_at value_error',
      ],
    ] as const) {
      assert.deepEqual(said(await stage.call('POST', TENANTS, request)), [`422 ${place}`], JSON.stringify(request))
    }
    assert.equal((await stage.call('GET', `${TENANTS}/bad`)).status, 404)
  })

  test('a list has pages and filters', async () => {
    for (const id of ['list-a', 'list-b', 'list-c']) await stage.call('POST', TENANTS, { id, reference: `ref ${id}` })
    const first = await stage.call('GET', `${TENANTS}?q=LIST-&limit=2`)
    assert.deepEqual(idsOf(first.body), ['list-a', 'list-b'])
    const next = /<([^>]+)>/.exec(first.headers.get('link')!)![1]
    const second = await stage.call('GET', next)
    assert.deepEqual([idsOf(second.body), second.headers.get('link')], [['list-c'], null])
    assert.deepEqual(idsOf((await stage.call('GET', `${TENANTS}?reference=ref%20list-b`)).body), ['list-b'])
    assert.deepEqual((await stage.call('GET', `${TENANTS}?q=%25`)).body, [], 'a percent sign stands for itself')
    await stage.call('POST', `${TENANTS}/list-b/suspend`)
    assert.deepEqual(idsOf((await stage.call('GET', `${TENANTS}?state=suspended&q=list`)).body), ['list-b'])
    await stage.call('DELETE', `${TENANTS}/list-b`)
    assert.deepEqual((await stage.call('GET', `${TENANTS}?state=suspended`)).body, [])
    assert.deepEqual(idsOf((await stage.call('GET', `${TENANTS}?state=removal_planned`)).body), ['list-b'])
  })

  test('another host ends invitations, links and waiting mail, and no tenant gets the host of the service', async () => {
    const { key } = await stage.tenant('moving')
    const { database, service } = stage.service
    const invited = { email: 'ann@moving.example', role: 'reader' }
    const { id } = (await stage.service.call('POST', '/api/knowledge/invitations', { key, body: invited })).body
    const { userId } = await stage.service.user({ tenant: 'moving', email: 'bea@moving.example', role: 'reader' })
    const reset = await stage.service.call('POST', `/api/knowledge/users/${userId}/password-reset`, { key })
    assert.equal(reset.status, 200, JSON.stringify(reset.body))
    const mail = { attempts: 0, next_at: 0, expires_at: Date.now() + 60_000 }
    const row = { tenant_id: 'moving', id: 'waiting', sealed: 'x', ...mail }
    await database.write((tx) => insertMail(tx, row), 'moving')
    const left = async () => {
      const tables = ['invitations', 'password_resets', 'mail_outbox'] as const
      const rows = tables.map((table) =>
        database.queries.selectFrom(table).selectAll().where('tenant_id', '=', 'moving').execute(),
      )
      return (await Promise.all(rows)).map(({ length }) => length)
    }
    await stage.call('PATCH', `${TENANTS}/moving`, { name: 'Moving', host: null })
    assert.deepEqual(await left(), [1, 1, 1], 'the host stayed')
    assert.equal((await stage.call('PATCH', `${TENANTS}/moving`, { host: 'moving.example' })).status, 200)
    assert.deepEqual(await left(), [0, 0, 0])
    const audited = await database.queries
      .selectFrom('audit_log')
      .select(['action', 'source'])
      .where('resource_id', '=', id)
      .where('action', '=', 'delete')
      .execute()
    assert.deepEqual(audited, [{ action: 'delete', source: 'operator' }])
    const { host, hostname } = new URL(service.publicUrl)
    for (const own of [host, hostname]) {
      assert.deepEqual(said(await stage.call('PATCH', `${TENANTS}/moving`, { host: own })), ['409 body.host conflict'])
      assert.deepEqual(said(await stage.call('POST', TENANTS, { id: 'thief', host: own })), ['409 body.host conflict'])
    }
  })

  test('a change is in force at once in every process, keeps what it leaves out, and is in both audit logs', async () => {
    const { key } = await stage.tenant('changing')
    const other = await stage.service.sibling()
    try {
      const request = { name: 'Changed', settings: { language: 'en' } }
      const { status, body } = await stage.call('PATCH', `${TENANTS}/changing`, request)
      assert.deepEqual([status, body.name, body.settings.language], [200, 'Changed', 'en'])
      await stage.call('PATCH', `${TENANTS}/changing`, { settings: { bin_days: 3 } })
      for (const { url } of [stage.service.service, other]) {
        const { tenant } = (await stage.service.call('GET', '/api/session', { key }, url)).body
        assert.deepEqual(tenant, { id: 'changing', name: 'Changed', language: 'en', foreign_pictures: false })
      }
      const { settings } = (await stage.call('GET', `${TENANTS}/changing`)).body
      assert.deepEqual([settings.language, settings.bin_days], ['en', 3])
      const own = await stage.service.database.queries
        .selectFrom('audit_log')
        .select(['action', 'source', 'credential_id'])
        .where('tenant_id', '=', 'changing')
        .where('resource_type', '=', 'tenant')
        .orderBy('id')
        .execute()
      assert.deepEqual(
        own.map((row) => Object.values(row)),
        ['create', 'update', 'update'].map((action) => [action, 'operator', stage.operatorId]),
      )
      const log = (await stage.call('GET', '/api/operator/log')).body
      const actions = log.filter((item: { resource_id: string }) => item.resource_id === 'changing')
      assert.deepEqual(
        actions.map((item: { action: string; operator_id: string; operator_name: string }) => [
          item.action,
          item.operator_id,
          item.operator_name,
        ]),
        ['update', 'update', 'create'].map((action) => [action, stage.operatorId, 'Script']),
      )
    } finally {
      await other.stop()
    }
    assert.deepEqual(said(await stage.call('PATCH', `${TENANTS}/nobody`, { name: 'x' })), [
      '404 path.tenant_id not_found',
    ])
    const faulty = await stage.call('PATCH', `${TENANTS}/changing`, { settings: { variant_strategy: 'some' } })
    assert.deepEqual(said(faulty), ['422 body.settings.variant_strategy enum'])
  })

  test('an operator is never told what a tenant has written, asked or is called', async () => {
    const { key } = await stage.tenant('private')
    const call = (path: string, body: object) => stage.service.call('POST', path, { key, body })
    const { id: category } = (await call(CATEGORIES, { name: 'Geheimfach' })).body
    const entry = { title: 'Geheimtitel', content: 'Geheimtext', category_id: category }
    assert.equal((await call('/api/knowledge/knowledge-entries', entry)).status, 201)
    await call('/api/knowledge/knowledge-entries/search', { query: 'Geheimfrage' })
    await stage.service.user({ tenant: 'private', email: 'geheim@private.example' })
    const paths = Object.entries(stage.service.service.app.documentation.document().paths)
      .filter(([path, methods]) => path.startsWith('/api/operator/') && 'get' in methods)
      .map(([path]) => path.replace('{tenant_id}', 'private'))
    assert.ok(paths.length >= 6)
    for (const path of paths) {
      const answer = await stage.call('GET', path)
      assert.equal(answer.status, 200, path)
      assert.doesNotMatch(JSON.stringify(answer.body), /geheim/i, path)
    }
  })

  test('the status says what there is, in figures and words', async () => {
    const { status, body } = await stage.call('GET', '/api/operator/status')
    assert.equal(status, 200)
    assert.equal(body.database.kind, kind.name === 'SQLite' ? 'sqlite' : 'postgres')
    assert.deepEqual(
      body.threads.map(({ name, down }: { name: string; down: boolean }) => [name, down]),
      [
        ['search', false],
        ...(kind.name === 'SQLite' ? [] : [['replicas', false]]),
        ['embedding', false],
        ['reader', false],
        ['log', false],
      ],
    )
    assert.ok(body.tenants.active >= 1 && body.search.bytes_max > 0 && body.database.migrations > 0)
  })
})

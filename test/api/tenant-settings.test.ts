import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import type { Fault } from '../../src/platform/faults.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type Answer, type TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { until } from '../support/patience.ts'

const SETTINGS = '/api/knowledge/tenant-settings'
const RULES = '/api/knowledge/sign-in-rules'

onEachDatabase('the settings of a tenant', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
    // The model is chosen in the background.
    await until(async () => (await read()).body.embedding_model !== null, 'the model is chosen')
  })
  after(() => service.stop())

  const read = () => service.call('GET', SETTINGS)
  const change = (body: object, key = service.adminKey, headers: Record<string, string> = {}) =>
    service.call('PATCH', SETTINGS, { key, body, headers })
  const replace = (body: object, key = service.adminKey, headers: Record<string, string> = {}) =>
    service.call('PUT', RULES, { key, body, headers })
  const lastRecord = async (query: string) =>
    (await service.call('GET', `/api/knowledge/audit-records?limit=1&${query}`)).body[0]
  const faultsOf = ({ body }: Answer): string[] =>
    body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`)

  test('are read whole, and those that are sent change at once, in every process', async () => {
    const { body: before } = await read()
    assert.deepEqual(
      [before.name, before.language, before.bin_days, before.oauth_registration, before.host],
      [service.tenantId, 'de', 30, 'key', null],
    )
    const sibling = await service.sibling()
    try {
      const { status, body } = await change({ bin_days: 0, language: 'EN-gb', name: 'Lighthouse' })
      assert.deepEqual([status, body], [200, { ...before, bin_days: 0, language: 'en-GB', name: 'Lighthouse' }])
      const other = await service.call('GET', '/api/session', {}, sibling.url)
      assert.deepEqual([other.body.tenant.name, other.body.tenant.language], ['Lighthouse', 'en-GB'])
      // Without days in the bin, what is deleted in the other process is gone.
      const category = await service.category()
      const entry = { title: 'A title', content: 'Some content', category_id: category }
      const creation = await service.call('POST', '/api/knowledge/knowledge-entries', { body: entry }, sibling.url)
      await service.call('DELETE', `/api/knowledge/knowledge-entries/${creation.body.id}`, {}, sibling.url)
      assert.deepEqual((await service.call('GET', '/api/knowledge/bin', {}, sibling.url)).body, [])
    } finally {
      await sibling.stop()
    }
  })

  test('leave the engine of searches to the operator, who is told what pgvector lacks', async () => {
    const { status, body } = await change({ search_engine: 'pgvector' })
    assert.equal(status, 403)
    assert.deepEqual([body.detail[0].loc, body.detail[0].type], [['body', 'search_engine'], 'forbidden'])
    const byOperator = changeTenant(service.database, service.tenantId, { settings: { searchEngine: 'pgvector' } })
    await assert.rejects(byOperator, (fault: Fault) => {
      const [{ type, msg }] = fault.details
      assert.equal(type, 'pgvector_missing')
      assert.match(msg, kind.name === 'SQLite' ? /needs PostgreSQL/ : /install it there/)
      return true
    })
    assert.equal((await read()).body.search_engine, 'memory')
  })

  test('are recorded as they were and as they are, and a change of nothing is not recorded', async () => {
    await change({ search_log_days: 90, vector_weight: 0.5 })
    await change({ search_log_days: 30, vector_weight: 0.5 })
    const record = await lastRecord('resource_type=tenant')
    assert.deepEqual(record.details, { changes: { search_log_days: { before: 90, after: 30 } } })
    const etag = (await read()).headers.get('etag')
    assert.equal((await change({ search_log_days: 30 })).headers.get('etag'), etag)
    assert.equal((await lastRecord('resource_type=tenant')).id, record.id)
  })

  test('are changed by the command line by the same rule, in the same record', async () => {
    await changeTenant(service.database, service.tenantId, { settings: { searchLogDays: '45' } })
    assert.equal((await read()).body.search_log_days, 45)
    const record = await lastRecord('resource_type=tenant')
    assert.deepEqual([record.source, record.details.changes.search_log_days.after], ['cli', 45])
    await assert.rejects(
      changeTenant(service.database, service.tenantId, { settings: { searchLogDays: '0' } }),
      /1 to 3650/,
    )
    const answer = await change({ search_log_days: 0 })
    assert.deepEqual([answer.status, faultsOf(answer)], [422, ['body.search_log_days greater_than_equal']])
  })

  test('are not overwritten by an administrator who has not seen the last change', async () => {
    const seen = (await read()).headers.get('etag')!
    const both = await Promise.all(
      [10, 20].map((days) => change({ bin_days: days }, service.adminKey, { 'if-match': seen })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
    const won = both.find(({ status }) => status === 200)!
    assert.deepEqual((await read()).body, won.body)
    const after = await change({ bin_days: 30 }, service.adminKey, { 'if-match': won.headers.get('etag')! })
    assert.equal(after.status, 200)
  })

  test('of the operator are named and refused, and nothing of such a change is stored', async () => {
    const before = await read()
    const operators = ['host', 'embedding_model', 'embedding_url', 'search_memory_mb', 'quota_entries', 'id']
    for (const name of operators) {
      const answer = await change({ language: 'fr', [name]: 'evil.example' })
      assert.deepEqual([answer.status, faultsOf(answer)], [403, [`body.${name} forbidden`]])
    }
    assert.deepEqual((await read()).body, before.body)
  })

  test('a language without a name is refused like one that is no tag', async () => {
    for (const language of ['xxx', 'und', 'de-XX', 'en_US']) {
      const answer = await change({ language })
      assert.deepEqual([answer.status, faultsOf(answer)], [422, ['body.language language_parsing']], language)
    }
  })

  test('are closed to all but administrators, and those of another tenant stay', async () => {
    const { key: editor } = await service.user({ email: 'editor@example.com', role: 'editor' })
    for (const path of [SETTINGS, RULES]) assert.equal((await service.call('GET', path, { key: editor })).status, 403)
    assert.equal((await change({ language: 'fr' }, editor)).status, 403)
    const other = await service.tenant('other')
    const { key } = await service.user({ tenant: other, email: 'admin@other' })
    await change({ language: 'fr' }, key)
    assert.notEqual((await read()).body.language, 'fr')
  })

  const closed = {
    create_users: false,
    link_by_email: true,
    link_proof: true,
    groups_claim: 'groups',
    groups: [],
    default_role: null,
    session_hours: 12,
  }
  const row = (group: string, role: string, ceiling: string | null = null) => ({ group, role, ceiling })

  test('for company accounts create no users until an administrator turns that on, and are recorded', async () => {
    assert.deepEqual((await service.call('GET', RULES)).body, closed)
    const wish = { ...closed, create_users: true, groups: [row('staff', 'reader', 'community')] }
    assert.deepEqual((await replace(wish)).body, wish)
    assert.deepEqual((await service.call('GET', RULES)).body, wish)
    const { details } = await lastRecord('resource_type=sign_in_rules')
    assert.deepEqual(details.changes, {
      create_users: { before: false, after: true },
      groups: { before: [], after: wish.groups },
    })
    await replace(closed)
  })

  test('for company accounts give no more than the administrator who sets them has', async () => {
    const weak = await service.key(['tenant:admin', 'knowledge:read', 'visibility:internal'])
    const answer = await replace({ ...closed, groups: [row('a', 'admin')], default_role: 'editor' }, weak)
    assert.deepEqual(
      [answer.status, faultsOf(answer)],
      [403, ['body.groups.0.role forbidden', 'body.default_role forbidden', 'body.groups forbidden']],
    )
    // A right that a stronger administrator has given may stay beside a change.
    const set = { ...closed, groups: [row('a', 'admin')] }
    assert.equal((await replace(set)).status, 200)
    assert.equal((await replace({ ...set, session_hours: 4 }, weak)).status, 200)
    const higher = { ...set, groups: [row('a', 'admin'), row('b', 'admin')] }
    assert.deepEqual(faultsOf(await replace(higher, weak)), ['body.groups.1.role forbidden'])
    await replace(closed)
  })

  test('for company accounts take nothing from people above the administrator who sets them', async () => {
    const scopes = ROLE_SCOPES.admin.filter((scope) => !/workspace|restricted/.test(scope))
    const weak = await service.key(scopes)
    const refused = async (wish: object) => {
      const answer = await replace({ ...closed, ...wish }, weak)
      assert.equal(answer.status, 403, JSON.stringify(answer.body))
      return faultsOf(answer)
    }
    // Without a table roles stay as they are: the first row takes them from all people whom it does not name.
    assert.deepEqual(await refused({ groups: [row('everybody', 'reader')] }), ['body.groups forbidden'])
    const groups = [row('chiefs', 'admin'), row('legal', 'editor'), row('staff', 'reader')]
    assert.equal((await replace({ ...closed, link_by_email: false, groups })).status, 200)
    const unlinked = { link_by_email: false, groups }
    for (const other of [[row('chiefs', 'reader'), ...groups.slice(1)], groups.slice(1), []])
      assert.deepEqual(await refused({ ...unlinked, groups: other }), ['body.groups forbidden'])
    // Members of two groups have the higher role with the higher ceiling.
    const both = [...groups, row('helpers', 'admin', 'internal')]
    assert.deepEqual(await refused({ ...unlinked, groups: both }), ['body.groups.3.role forbidden'])
    const rows = ['body.groups.0.role forbidden', 'body.groups.1.role forbidden']
    for (const [field, value] of [
      ['groups_claim', 'nickname'],
      ['create_users', true],
    ] as const)
      assert.deepEqual(await refused({ ...unlinked, [field]: value }), rows)
    const linking = await refused({ ...unlinked, link_by_email: true })
    assert.deepEqual(linking, [...rows, 'body.link_by_email forbidden'])
    assert.deepEqual((await service.call('GET', RULES)).body, { ...closed, ...unlinked })
    const own = [...groups.slice(0, 2), row('guests', 'reader', 'community')]
    assert.equal((await replace({ ...closed, ...unlinked, groups: own }, weak)).status, 200)
    await replace(closed)
  })

  test('that let people in are not changed by a key that expires, nor does such a key lower the need of a second factor', async () => {
    const created = await service.call('POST', '/api/knowledge/api-keys', {
      body: { name: 'a day', scopes: ROLE_SCOPES.admin, expires_at: new Date(Date.now() + 86_400_000).toISOString() },
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const { key } = created.body
    const answer = await replace({ ...closed, groups: [row('chiefs', 'admin')] }, key)
    assert.deepEqual([answer.status, faultsOf(answer)], [403, ['header.authorization forbidden']])
    const need = (value: string, by = service.adminKey) => change({ require_second_factor: value }, by)
    assert.equal((await need('all', key)).status, 200)
    for (const less of ['on', 'off'])
      assert.deepEqual(faultsOf(await need(less, key)), ['header.authorization forbidden'])
    assert.equal((await change({ language: 'de' }, key)).status, 200)
    assert.equal((await read()).body.require_second_factor, 'all')
    assert.equal((await need('off')).status, 200)
  })

  test('for company accounts are not overwritten either by an administrator who has not seen the last change', async () => {
    const seen = (await service.call('GET', RULES)).headers.get('etag')!
    const both = await Promise.all(
      [1, 2].map((hours) => replace({ ...closed, session_hours: hours }, service.adminKey, { 'if-match': seen })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
  })

  test('on workspaces have members with names, and with roles when asked for', async () => {
    const { userId } = await service.user({ email: 'member@example.com', role: 'reader' })
    const { body: workspace } = await service.call('POST', '/api/knowledge/workspaces', { body: { name: 'Crew' } })
    const members = `/api/knowledge/workspaces/${workspace.id}/members`
    await service.call('POST', members, { body: { user_ids: [userId] } })
    const of = async (query: string) =>
      (await service.call('GET', members + query)).body.find((each: { user_id: string }) => each.user_id === userId)
    const member = { user_id: userId, email: 'member@example.com', name: 'member@example.com' }
    assert.deepEqual(await of(''), member)
    assert.deepEqual(await of('?include_role=true'), { ...member, role: 'reader', disabled: false })
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ROLE_SCOPES } from '../../src/access/scopes.ts'
import { changeUser, createUser } from '../../src/tenants/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import { type Call, TestService } from '../support/service.ts'

const KEYS = '/api/knowledge/api-keys'

onEachDatabase('API keys over HTTP', (kind) => {
  let service: TestService
  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const issue = (body: object, call: Call = {}) => service.call('POST', KEYS, { ...call, body: { name: 'K', ...body } })
  const fault = ({ status, body }: { status: number; body: { detail: { loc: string[]; type: string }[] } }) =>
    `${status} ${body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).join()}`

  test('a key is shown once, works, is listed without itself, and is refused when revoked', async () => {
    const reader = await service.user({ email: 'reader@x', role: 'reader' })
    const expires = new Date(Date.now() + 60_000).toISOString()
    const { status, headers, body } = await issue({
      scopes: ['knowledge:read', 'visibility:internal'],
      user_id: reader.userId,
      expires_at: expires,
    })
    assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store'])
    const { key, ...shown } = body
    assert.match(key, /^ks_[0-9A-Za-z]{40}$/)
    assert.equal(shown.hint, key.slice(0, 7))
    assert.deepEqual(
      [shown.user, shown.expires_at, shown.revoked_at, shown.last_used_at],
      [{ id: reader.userId, email: 'reader@x', name: 'reader@x' }, expires, null, null],
    )
    const list = await service.call('GET', KEYS)
    assert.deepEqual(
      list.body.find(({ id }: { id: string }) => id === shown.id),
      shown,
    )
    assert.ok(!JSON.stringify(list.body).includes(key))
    const works = async () => (await service.call('GET', '/api/knowledge/categories', { key })).status
    assert.equal(await works(), 200)
    assert.equal((await service.call('DELETE', `${KEYS}/${shown.id}`)).status, 204)
    assert.equal(await works(), 401)
    assert.equal((await service.call('DELETE', `${KEYS}/${shown.id}`)).status, 404)
    const events = await service.database.queries
      .selectFrom('audit_log')
      .select(['action', 'source', 'user_id'])
      .where('resource_id', '=', shown.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      events.map(({ action, source }) => `${action} ${source}`),
      ['create api', 'revoke api'],
    )
    assert.ok(events.every((event) => event.user_id !== null))
  })

  test('nobody issues more than they have, nor a key to the private notes of another', async () => {
    const poor = await service.key(['tenant:admin', 'knowledge:read', 'visibility:workspace'])
    const as = (scopes: string[]) => issue({ scopes }, { key: poor })
    assert.equal((await as(['knowledge:read', 'visibility:internal'])).status, 201)
    assert.equal(fault(await as(['knowledge:read', 'knowledge:write'])), '403 body.scopes.1 forbidden')
    assert.equal(fault(await as(['visibility:restricted'])), '403 body.scopes.0 forbidden')
    const narrowed = { headers: { 'x-scopes': 'tenant:admin' } }
    assert.equal(fault(await issue({ scopes: ['knowledge:read'] }, narrowed)), '403 body.scopes.0 forbidden')
    const other = await createUser(service.database, 'default', { email: 'other@x', name: 'O', role: 'admin' })
    const personal = ['knowledge:read', 'knowledge:personal']
    assert.equal(fault(await issue({ scopes: personal, user_id: other.id })), '403 body.scopes.1 forbidden')
    const { body: me } = await service.call('GET', '/api/session')
    assert.equal((await issue({ scopes: personal, user_id: me.user.id })).status, 201)
  })

  test('a key that an administrator has made in the name of another opens none of their private notes', async () => {
    const victim = await service.user({ email: 'diarist@x', role: 'editor' })
    const entries = '/api/knowledge/knowledge-entries'
    const { body: category } = await service.call('POST', '/api/knowledge/categories', { body: { name: 'Diaries' } })
    const note = { title: 'Diary', content: 'Nachtigall', category_id: category.id }
    const { body: written } = await service.call('POST', `${entries}/personal`, { key: victim.key, body: note })
    const scopes = ['knowledge:read', 'knowledge:write', 'knowledge:delete', 'visibility:restricted']
    const { body: made } = await issue({ scopes, user_id: victim.userId })
    const path = `${entries}/${written.id}`
    const seen = async (key: string, headers = {}) => {
      const body = { query: 'Nachtigall', mode: 'keyword' }
      const found = await service.call('POST', `${entries}/search`, { key, headers, body })
      const listed = await service.call('GET', `${entries}?visibility=personal`, { key, headers })
      const read = await service.call('GET', path, { key, headers })
      const versions = await service.call('GET', `${path}/versions`, { key, headers })
      return [found.body.length, listed.body.length, read.status, versions.status]
    }
    assert.deepEqual(await seen(victim.key), [1, 1, 200, 200])
    assert.deepEqual(await seen(made.key), [0, 0, 404, 404])
    assert.deepEqual(await seen(victim.key, { 'x-scopes': 'knowledge:read visibility:internal' }), [0, 0, 404, 404])
    const published = { key: made.key, body: { visibility: 'internal' } }
    assert.equal((await service.call('PATCH', path, published)).status, 404)
    assert.equal((await service.call('DELETE', path, { key: made.key })).status, 404)
    assert.equal((await service.call('DELETE', path, { key: victim.key })).status, 204)
  })

  test("a key never may more than its user's role", async () => {
    const { userId } = await service.user({ email: 'small@x', role: 'reader' })
    const scopes = ROLE_SCOPES.editor.filter((scope) => scope !== 'knowledge:personal')
    const { body } = await issue({ scopes, user_id: userId })
    const write = () => service.call('POST', '/api/knowledge/categories', { key: body.key, body: { name: 'A' } })
    assert.equal((await write()).status, 403)
    await changeUser(service.database, 'default', userId, { role: 'editor' })
    assert.equal((await write()).status, 201)
  })

  test('what is wrong is named', async () => {
    const scopes = ['knowledge:read']
    const nobody = '00000000-0000-7000-8000-000000000000'
    await service.tenant('far')
    const foreign = await createUser(service.database, 'far', { email: 'far@x', name: 'Far', role: 'admin' })
    for (const id of [nobody, foreign.id]) {
      assert.equal(fault(await issue({ scopes, user_id: id })), '422 body.user_id reference_not_found')
    }
    const past = { scopes, expires_at: '2001-01-01T00:00:00Z' }
    assert.equal(fault(await issue(past)), '422 body.expires_at value_error')
    assert.equal(fault(await issue({ scopes: ['everything'] })), '422 body.scopes.0 enum')
    assert.equal(fault(await issue({ scopes: [] })), '422 body.scopes too_short')
  })

  test('the users of the tenant are listed for its administrators', async () => {
    const { userId, key } = await service.user({ email: 'listed@x', role: 'editor' })
    const users = async () => (await service.call('GET', '/api/knowledge/users')).body
    const listed = { id: userId, email: 'listed@x', name: 'listed@x', role: 'editor', disabled: false }
    assert.deepEqual(
      (await users()).find(({ id }: { id: string }) => id === userId),
      listed,
    )
    await changeUser(service.database, 'default', userId, { disabled: true })
    assert.equal((await users()).find(({ id }: { id: string }) => id === userId).disabled, true)
    assert.ok((await users()).every(({ email }: { email: string }) => email !== 'far@x'))
    assert.equal((await service.call('GET', '/api/knowledge/users', { key })).status, 401)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { Fault } from '../../src/platform/faults.ts'
import { changeUser, revokeWithIssued } from '../../src/identity/administration/end-access.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey, type Issuer } from '../../src/identity/api-keys/rules.ts'
import { insertApiKey, lockApiKey } from '../../src/identity/api-keys/store.ts'
import { Browser } from '../sessions/browser.ts'
import { onEachDatabase } from '../support/databases.ts'
import { givePassword } from '../support/passwords.ts'
import type { Answer, Call, TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const KEYS = '/api/knowledge/api-keys'
const PASSWORD = 'the first password'
const HOUR_MS = 3_600_000

onEachDatabase('API keys over HTTP', (kind) => {
  let service: TestService
  let console: Browser
  before(async () => {
    service = await joinService(kind)
    const { id, email } = (await service.call('GET', '/api/session')).body.user
    await givePassword(service.database, service.tenantId, id, PASSWORD)
    console = new Browser(service)
    assert.equal((await console.signIn(email, PASSWORD, service.tenantId)).status, 200)
  })
  after(() => service.stop())

  /** Issues a key with the given key, or else as the signed-in administrator, who confirms who they are. */
  const issue = (body: object, { key, headers }: Call = {}): Promise<Answer> =>
    key === undefined
      ? console.call('POST', KEYS, { name: 'K', confirmation: { password: PASSWORD }, ...body }, { ...headers })
      : service.call('POST', KEYS, { key, headers, body: { name: 'K', ...body } })
  const fault = ({ status, body }: { status: number; body: { detail: { loc: string[]; type: string }[] } }) =>
    `${status} ${body.detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).join()}`
  const works = async (key: string) => (await service.call('GET', '/api/knowledge/categories', { key })).status === 200
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString()
  const listed = async (id: string) =>
    (await service.call('GET', KEYS)).body.find((each: { id: string }) => each.id === id)

  test('a key is shown once, works, is listed without its secret, and is refused when revoked', async () => {
    const reader = await service.user({ email: 'reader@x', role: 'reader' })
    const expires = new Date(Date.now() + 60_000).toISOString()
    const { status, headers, body } = await issue({
      scopes: ['knowledge:read', 'visibility:internal'],
      user_id: reader.userId,
      expires_at: expires,
    })
    assert.deepEqual([status, headers.get('cache-control')], [201, 'no-store'])
    const { key, ...details } = body
    assert.match(key, /^ks_[0-9A-Za-z]{40}$/)
    assert.equal(details.hint, key.slice(0, 7))
    assert.deepEqual(
      [details.user, details.expires_at, details.revoked_at, details.last_used_at],
      [{ id: reader.userId, email: 'reader@x', name: 'reader@x' }, expires, null, null],
    )
    assert.deepEqual(await listed(details.id), details)
    assert.ok(!JSON.stringify((await service.call('GET', KEYS)).body).includes(key))
    assert.ok(await works(key))
    assert.equal((await service.call('DELETE', `${KEYS}/${details.id}`)).status, 204)
    assert.ok(!(await works(key)))
    assert.equal((await service.call('DELETE', `${KEYS}/${details.id}`)).status, 404)
    const events = await service.database.queries
      .selectFrom('audit_log')
      .select(['action', 'source', 'user_id'])
      .where('resource_id', '=', details.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      events.map(({ action, source }) => `${action} ${source}`),
      ['create console', 'revoke api'],
    )
    assert.ok(events.every((event) => event.user_id !== null))
  })

  test('a signed-in person proves again who they are for a key that administers the tenant, and for no other', async () => {
    const scopes = ['tenant:admin', 'knowledge:read']
    assert.equal(fault(await issue({ scopes, confirmation: undefined })), '403 body.confirmation proof_needed')
    const wrong = { scopes, confirmation: { password: `${PASSWORD}?` } }
    assert.equal(fault(await issue(wrong)), '422 body.confirmation.password proof_wrong')
    const twice = { scopes, confirmation: { password: PASSWORD, code: '123456' } }
    assert.equal(fault(await issue(twice)), '422 body.confirmation value_error')
    const { status, body } = await issue({ scopes, confirmation: { password: PASSWORD } })
    assert.equal(status, 201)
    assert.ok(await works(body.key))
    assert.equal((await issue({ scopes: ['knowledge:read'], confirmation: undefined })).status, 201)
    // A program has no session that could be stolen; its key bounds the new one.
    assert.equal((await issue({ scopes }, { key: body.key })).status, 201)
  })

  test('no key has more than the scopes of its issuer, or opens another user’s private notes', async () => {
    const poor = await service.key(['tenant:admin', 'knowledge:read', 'visibility:workspace'])
    const as = (scopes: string[]) => issue({ scopes }, { key: poor })
    assert.equal((await as(['knowledge:read', 'visibility:internal'])).status, 201)
    assert.equal(fault(await as(['knowledge:read', 'knowledge:write'])), '403 body.scopes.1 forbidden')
    assert.equal(fault(await as(['visibility:restricted'])), '403 body.scopes.0 forbidden')
    const narrowed = { headers: { 'x-scopes': 'tenant:admin' } }
    assert.equal(fault(await issue({ scopes: ['knowledge:read'] }, narrowed)), '403 body.scopes.0 forbidden')
    const other = await createUser(service.database, service.tenantId, { email: 'other@x', name: 'O', role: 'admin' })
    const personal = ['knowledge:read', 'knowledge:personal']
    assert.equal(fault(await issue({ scopes: personal, user_id: other.id })), '403 body.scopes.1 forbidden')
    const { body: me } = await service.call('GET', '/api/session')
    assert.equal((await issue({ scopes: personal, user_id: me.user.id })).status, 201)
  })

  test('a key that an administrator issues for another user does not open that user’s private notes', async () => {
    const victim = await service.user({ email: 'diarist@x', role: 'editor' })
    const entries = '/api/knowledge/knowledge-entries'
    const { body: category } = await service.call('POST', '/api/knowledge/categories', { body: { name: 'Diaries' } })
    const note = { title: 'Diary', content: 'Nachtigall', category_id: category.id }
    const { body: written } = await service.call('POST', `${entries}/personal`, { key: victim.key, body: note })
    const scopes = ['knowledge:read', 'knowledge:write', 'knowledge:delete', 'visibility:restricted']
    const { body: credential } = await issue({ scopes, user_id: victim.userId })
    const path = `${entries}/${written.id}`
    const seen = async (key: string, headers = {}) => {
      const body = { query: 'Nachtigall', mode: 'keyword' }
      const search = await service.call('POST', `${entries}/search`, { key, headers, body })
      const listed = await service.call('GET', `${entries}?visibility=personal`, { key, headers })
      const read = await service.call('GET', path, { key, headers })
      const versions = await service.call('GET', `${path}/versions`, { key, headers })
      return [search.body.length, listed.body.length, read.status, versions.status]
    }
    assert.deepEqual(await seen(victim.key), [1, 1, 200, 200])
    assert.deepEqual(await seen(credential.key), [0, 0, 404, 404])
    assert.deepEqual(await seen(victim.key, { 'x-scopes': 'knowledge:read visibility:internal' }), [0, 0, 404, 404])
    const published = { key: credential.key, body: { visibility: 'internal' } }
    assert.equal((await service.call('PATCH', path, published)).status, 404)
    assert.equal((await service.call('DELETE', path, { key: credential.key })).status, 404)
    assert.equal((await service.call('DELETE', path, { key: victim.key })).status, 204)
  })

  test('a key never allows more than its user’s role', async () => {
    const { userId } = await service.user({ email: 'small@x', role: 'reader' })
    const scopes = ROLE_SCOPES.editor.filter((scope) => scope !== 'knowledge:personal')
    const { body } = await issue({ scopes, user_id: userId })
    const write = () => service.call('POST', '/api/knowledge/categories', { key: body.key, body: { name: 'A' } })
    assert.equal((await write()).status, 403)
    await changeUser(service.database, service.tenantId, userId, { role: 'editor' })
    assert.equal((await write()).status, 201)
  })

  test('a key that expires cannot issue one that lasts longer, but a signed-in person can', async () => {
    const scopes = ['knowledge:read', 'tenant:admin']
    const end = inHours(1)
    const { body: short } = await issue({ scopes, expires_at: end })
    const by = { key: short.key }
    const longer = '403 body.expires_at forbidden'
    assert.equal(fault(await issue({ scopes, expires_at: null }, by)), longer)
    assert.equal(fault(await issue({ scopes, expires_at: new Date(Date.parse(end) + 1).toISOString() }, by)), longer)
    const { status, body: child } = await issue({ scopes }, by)
    assert.deepEqual([status, child.expires_at], [201, end])
    assert.equal((await issue({ scopes, expires_at: end }, by)).status, 201)
    // No chain of keys leads past the end of the first.
    assert.equal(fault(await issue({ scopes, expires_at: inHours(2) }, { key: child.key })), longer)
    assert.equal((await issue({ scopes, expires_at: null })).status, 201)
  })

  test('no user makes or revokes a key in the name of a user who may do more', async () => {
    const chief = await service.user({ email: 'chief-of-keys@x' })
    const low = await service.key([
      ...ROLE_SCOPES.admin.filter((scope) => !scope.startsWith('visibility:')),
      'visibility:internal',
    ])
    const scopes = ['knowledge:read', 'visibility:internal']
    assert.equal(fault(await issue({ scopes, user_id: chief.userId }, { key: low })), '403 body.user_id forbidden')
    const own = (await issue({ scopes, user_id: chief.userId })).body
    for (const query of ['', '?with_issued=true']) {
      const refused = await service.call('DELETE', `${KEYS}/${own.id}${query}`, { key: low })
      assert.equal(fault(refused), '403 path.key_id forbidden', query)
    }
    assert.ok(await works(own.key))
    assert.equal((await service.call('DELETE', `${KEYS}/${own.id}`, { key: chief.key })).status, 204)
  })

  test('a key of a user issues keys of that user only, which end with them, and a person may issue others', async () => {
    const boss = await service.user({ email: 'boss@x', role: 'admin' })
    const other = await createUser(service.database, service.tenantId, { email: 'aide@x', name: 'A', role: 'reader' })
    const scopes = ['knowledge:read']
    const by = { key: boss.key }
    for (const user_id of [null, other.id]) {
      assert.equal(fault(await issue({ scopes, user_id }, by)), '403 body.user_id forbidden')
      assert.equal((await issue({ scopes, user_id })).status, 201)
    }
    const { body: child } = await issue({ scopes }, by)
    assert.equal(child.user.id, boss.userId)
    assert.ok(await works(child.key))
    await changeUser(service.database, service.tenantId, boss.userId, { disabled: true })
    assert.ok(!(await works(child.key)))
  })

  test('the list says who issued a key', async () => {
    const { body: me } = await service.call('GET', '/api/session')
    const { email, id, name } = me.user
    const user = { id, email, name }
    const { body: first } = await issue({ scopes: ['tenant:admin', 'knowledge:read'], user_id: id })
    const { body: second } = await issue({ scopes: ['knowledge:read'] }, { key: first.key })
    const third = await issueApiKey(service.database, service.tenantId, {
      name: 'By command',
      scopes: ['knowledge:read'],
      userId: null,
      expiresAt: null,
    })
    assert.deepEqual([first.issuer.kind, first.issuer.user], ['session', user])
    assert.deepEqual(second.issuer, { kind: 'key', id: first.id, user })
    for (const each of [first, second]) assert.deepEqual((await listed(each.id)).issuer, each.issuer)
    assert.deepEqual((await listed(third.id)).issuer, { kind: 'cli', id: null, user: null })
    const unnoted = { issuer_kind: null, issuer_id: null, issuer_user_id: null }
    await service.database.queries.updateTable('api_keys').set(unnoted).where('id', '=', third.id).execute()
    assert.deepEqual((await listed(third.id)).issuer, { kind: 'unknown', id: null, user: null })
  })

  test('a key is revoked with all keys it issued if asked for, each with an audit record, and else alone', async () => {
    const scopes = ['tenant:admin', 'knowledge:read']
    const { body: root } = await issue({ scopes })
    const { body: beside } = await issue({ scopes })
    const { body: child } = await issue({ scopes }, { key: root.key })
    const { body: ended } = await issue({ scopes }, { key: root.key })
    const { body: grandchild } = await issue({ scopes }, { key: child.key })
    const { body: ofEnded } = await issue({ scopes }, { key: ended.key })
    const alive = () => Promise.all([root, child, grandchild, ended, ofEnded, beside].map(({ key }) => works(key)))
    assert.equal((await service.call('DELETE', `${KEYS}/${ended.id}`)).status, 204)
    assert.deepEqual(await alive(), [true, true, true, false, true, true])
    const revoke = (id: string) => service.call('DELETE', `${KEYS}/${id}?with_issued=true`)
    const { status, body } = await revoke(root.id)
    assert.deepEqual([status, body], [200, { revoked: 4 }])
    assert.deepEqual(await alive(), [false, false, false, false, false, true])
    const again = await revoke(root.id)
    assert.deepEqual([again.status, again.body], [200, { revoked: 0 }])
    assert.equal((await revoke('00000000-0000-7000-8000-000000000000')).status, 404)
    for (const { id } of [root, child, grandchild, ended, ofEnded]) {
      const events = await service.database.queries
        .selectFrom('audit_log')
        .select('action')
        .where('resource_id', '=', id)
        .where('action', '=', 'revoke')
        .execute()
      assert.equal(events.length, 1)
    }
  })

  test('a key issued while its issuer and the issuer’s keys are revoked is revoked too, or never made', async () => {
    const { database } = service
    const { body: root } = await issue({ scopes: ['tenant:admin'] })
    const issuer: Issuer = {
      kind: 'key',
      credentialId: root.id,
      userId: null,
      audit: { source: 'api', clientId: null },
    }
    const newKey = { name: 'late', scopes: ['tenant:admin'], userId: null, expiresAt: null }
    let revoking: Promise<number> = Promise.resolve(0)
    const late = await database.write(async (tx) => {
      assert.ok(await lockApiKey(tx, service.tenantId, root.id, Date.now()))
      // Starts before the new key exists, and has to wait.
      revoking = revokeWithIssued(database, service.tenantId, root.id)
      const id = '01a1fc48-0000-7000-8000-00000000000a'
      await insertApiKey(tx, {
        tenant_id: service.tenantId,
        id,
        user_id: null,
        name: newKey.name,
        hash: 'hash of a key that is issued late',
        hint: 'ks_late',
        scopes: 'tenant:admin',
        expires_at: null,
        revoked_at: null,
        last_used_at: null,
        created_at: Date.now(),
        issuer_kind: 'key',
        issuer_id: root.id,
        issuer_user_id: null,
        publishable: null,
      })
      return id
    }, service.tenantId)
    assert.equal(await revoking, 2)
    assert.notEqual((await listed(late)).revoked_at, null)
    // A caller that was admitted before the revocation cannot issue a key after it.
    await assert.rejects(
      issueApiKey(database, service.tenantId, newKey, issuer),
      (error) => error instanceof Fault && error.kind === 'unauthorized',
    )
  })

  test('the users of the tenant are listed for its administrators', async () => {
    const { userId, key } = await service.user({ email: 'listed@x', role: 'editor' })
    const users = async () => (await service.call('GET', '/api/knowledge/users')).body
    const listed = { id: userId, email: 'listed@x', name: 'listed@x', role: 'editor', disabled: false }
    assert.deepEqual(
      (await users()).find(({ id }: { id: string }) => id === userId),
      listed,
    )
    await changeUser(service.database, service.tenantId, userId, { disabled: true })
    assert.equal((await users()).find(({ id }: { id: string }) => id === userId).disabled, true)
    assert.ok((await users()).every(({ email }: { email: string }) => email !== 'far@x'))
    assert.equal((await service.call('GET', '/api/knowledge/users', { key })).status, 401)
  })
})

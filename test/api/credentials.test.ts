import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import type { Fault } from '../../src/platform/faults.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { changeUser, revokeApiKey } from '../../src/identity/administration/end-access.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PATH = '/api/knowledge/categories'
const OPERATOR = undefined

onEachDatabase('credentials', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  const status = async (key: string | null, headers = {}) => (await service.call('GET', PATH, { key, headers })).status
  const issue = (fields: { scopes?: string[]; userId?: string | null; expiresAt?: number | null } = {}) =>
    issueApiKey(
      service.database,
      service.tenantId,
      { name: 'k', scopes: ['knowledge:read'], userId: null, expiresAt: null, ...fields },
      OPERATOR,
    )

  test('a refusal says what is wrong with the credential', async () => {
    const expired = (await issue({ expiresAt: Date.now() - 1 })).key
    const revoked = await issue()
    await revokeApiKey(service.database, service.tenantId, revoked.id)
    const sent: [Record<string, string>, RegExp][] = [
      [{}, /^No credential was sent\. Send an API key/],
      [{ 'x-api-key': expired }, /^The header X-API-Key is not supported/],
      [{ authorization: expired }, /^The Authorization header has no Bearer credential/],
      [{ authorization: `Basic ${expired}` }, /^The Authorization header has no Bearer credential/],
      [{ authorization: `Bearer ks_${'x'.repeat(40)}` }, /^The API key is not known here/],
      [{ authorization: 'Bearer nonsense' }, /^The API key is not known here/],
      [{ authorization: `Bearer ${'x'.repeat(43)}` }, /^The access token is not known here/],
      [{ authorization: `Bearer ${expired}` }, /^The API key has expired/],
      [{ authorization: `Bearer ${revoked.key}` }, /^The API key was revoked/],
    ]
    for (const [headers, message] of sent) {
      const answer = await service.call('GET', PATH, { key: null, headers })
      assert.equal(answer.status, 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      assert.match(answer.body.detail[0].msg, message)
    }
  })

  test('a revoked key is refused on its next request', async () => {
    const { id, key } = await issue()
    assert.equal(await status(key), 200)
    await revokeApiKey(service.database, service.tenantId, id)
    assert.equal(await status(key), 401)
  })

  test('a key works until it expires', async () => {
    assert.equal(await status((await issue({ expiresAt: Date.now() + 60_000 })).key), 200)
    assert.equal(await status((await issue({ expiresAt: Date.now() - 1 })).key), 401)
  })

  test('a disabled user is refused with every key until enabled again', async () => {
    const { id } = await createUser(service.database, service.tenantId, {
      email: `off-${kind.name}@x`,
      name: 'x',
      role: 'editor',
    })
    const { key } = await issue({ userId: id })
    await changeUser(service.database, service.tenantId, id, { disabled: true })
    assert.equal(await status(key), 401)
    await changeUser(service.database, service.tenantId, id, { disabled: false })
    assert.equal(await status(key), 200)
  })

  test('a key has no more permissions than its user has now', async () => {
    const { userId, key } = await service.user({ email: `down-${kind.name}@x`, role: 'admin' })
    const write = async () => (await service.call('POST', PATH, { key, body: { name: 'x' } })).status
    assert.equal(await write(), 201)
    await changeUser(service.database, service.tenantId, userId, { role: 'reader' })
    assert.equal(await write(), 403)
    assert.equal(await status(key), 200)
  })

  test('a missing scope is named in the challenge', async () => {
    const { key } = await issue()
    const answer = await service.call('POST', PATH, { key, body: { name: 'x' } })
    assert.equal(answer.status, 403)
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="categories:write"/)
    assert.equal(answer.body.detail[0].type, 'forbidden')
  })

  test('X-Scopes narrows a request and never widens it', async () => {
    const { key } = await issue({ scopes: ['knowledge:read'] })
    assert.equal(await status(key, { 'x-scopes': 'categories:write' }), 403)
    assert.equal(await status(key, { 'x-scopes': 'knowledge:read tenant:admin' }), 200)
    const answer = await service.call('POST', PATH, {
      key,
      body: { name: 'x' },
      headers: { 'x-scopes': 'categories:write' },
    })
    assert.equal(answer.status, 403)
  })

  test('a tenant with its own host is reached only there, and no other tenant is', async () => {
    const tenant = await service.tenant('hosted')
    const { key } = await service.user({ tenant, email: 'a@hosted' })
    const at = (host: string, bearer: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const call = request(
          service.service.url + PATH,
          { headers: { host, authorization: `Bearer ${bearer}` } },
          (response) => {
            response.resume()
            resolve(response.statusCode)
          },
        )
        call.on('error', reject).end()
      })
    assert.equal(await at('anything.example', key), 200)
    await changeTenant(service.database, tenant, { host: 'hosted.example' })
    assert.equal(await at('anything.example', key), 401)
    assert.equal(await at('hosted.example', key), 200)
    assert.equal(await at('HOSTED.example:8443', key), 200)
    assert.equal(await at('hosted.example', service.adminKey), 401)
    assert.equal(await at('anything.example', service.adminKey), 200)
    await changeTenant(service.database, tenant, { host: null })
  })

  test('the last active administrator cannot be demoted or disabled, even when two disable each other at once', async () => {
    const { database } = service
    const small = await service.tenant('small')
    const [ann, bea] = await Promise.all(
      ['ann', 'bea'].map((name) => createUser(database, small, { email: `${name}@x`, name, role: 'admin' })),
    )
    const change = (id: string, what: { role?: string; disabled?: boolean }) =>
      changeUser(database, small, id, what).then(
        () => 'changed',
        (error: Fault) => `${error.kind} ${error.details[0].loc.join()}`,
      )
    const auditOf = async () =>
      (await database.queries.selectFrom('audit_log').select('id').where('tenant_id', '=', small).execute()).length
    for (const what of [{ role: 'editor' }, { disabled: true }]) {
      const refused = `conflict ${Object.keys(what)[0]}`
      for (let round = 0; round < 5; round++) {
        const done = await Promise.all([ann, bea].map(({ id }) => change(id, what)))
        assert.deepEqual(done.toSorted(), ['changed', refused], `round ${round}`)
        const [last, other] = done[0] === 'changed' ? [bea, ann] : [ann, bea]
        const before = await auditOf()
        assert.equal(await change(last.id, { role: 'reader' }), 'conflict role')
        assert.equal(await change(last.id, { disabled: true }), 'conflict disabled')
        assert.equal(await auditOf(), before)
        // Changes that remove nothing are allowed, and a disabled administrator no longer counts.
        assert.equal(await change(last.id, { role: 'admin', disabled: false }), 'changed')
        assert.equal(await change(other.id, { role: 'reader', disabled: true }), 'changed')
        assert.equal(await change(other.id, { role: 'admin', disabled: false }), 'changed')
      }
    }
  })

  test('the key itself is not stored in the database', async () => {
    const { key } = await issue()
    const rows = await service.database.queries.selectFrom('api_keys').selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(key.slice(7)))
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { SCOPES } from '../../src/platform/access/scopes.ts'
import { callerResolver } from '../../src/identity/credentials/resolve-caller.ts'
import { changeUser, revokeApiKey } from '../../src/identity/administration/end-access.ts'
import { createUser } from '../../src/identity/users/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { inTier } from '../support/tier.ts'
import { ACTIONS, type Ceiling, CEILINGS, ROLE } from './model.ts'
import { ENTRIES } from './world.ts'

const ROLES = ['reader', 'editor', 'admin'] as const
const NOTHING_SEEN = { seen: () => {}, flush: async () => {}, close: async () => {} }

onAnyDatabase('what a credential allows', (kind) => {
  let service: TestService

  before(async () => {
    service = await TestService.start(kind)
  })
  after(() => service.stop())

  const read = async (key: string): Promise<number> => (await service.call('GET', ENTRIES, { key })).status

  test("a key never exceeds its user's role of today, whatever it was issued with", async () => {
    const { database } = service
    const resolve = callerResolver(database, NOTHING_SEEN, () => 'http://localhost')
    const user = await createUser(database, 'default', { email: 'rising@x', name: 'Rising', role: 'reader' })
    // A demotion takes `knowledge:prompts` from a key for good, and with it a key that has nothing else.
    const scopes = fc.uniqueArray(fc.constantFrom(...SCOPES.filter((scope) => scope !== 'knowledge:prompts')))
    const roles = fc.array(fc.constantFrom(...ROLES), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(scopes, roles, async (keyScopes, career) => {
        const issued = { name: 'k', scopes: keyScopes, userId: user.id, expiresAt: null }
        const { key } = await issueApiKey(database, 'default', issued)
        for (const role of career) {
          await changeUser(database, 'default', user.id, { role })
          const caller = await resolve({
            authorization: `Bearer ${key}`,
            hasApiKeyHeader: false,
            cookies: undefined,
            host: 'localhost',
            scopes: '',
            auditSource: undefined,
            clientId: undefined,
          })
          for (const action of ACTIONS) {
            const expected =
              keyScopes.includes(action as never) && (ROLE[role].actions as readonly string[]).includes(action)
            assert.equal(caller.scopes.has(action as never), expected, `${action} as ${role}`)
          }
          assert.equal(caller.ceiling, lower(highest(keyScopes), ROLE[role].ceiling))
        }
      }),
      { numRuns: inTier({ gate: 15, all: 30 }) },
    )
  })

  test('a lower role counts from the next request, and a disabled user works again once enabled', async () => {
    const { userId, key } = await service.user({ email: 'fallen@x', role: 'admin' })
    const status = async () => (await service.call('GET', '/api/knowledge/embedding-status', { key })).status
    assert.equal(await status(), 200)
    await changeUser(service.database, 'default', userId, { role: 'reader' })
    assert.deepEqual([await status(), await read(key)], [403, 200])
    await changeUser(service.database, 'default', userId, { disabled: true })
    assert.equal(await read(key), 401)
    await changeUser(service.database, 'default', userId, { disabled: false })
    assert.equal(await read(key), 200)
  })

  test('a revoked key is refused with the next request, an expired one from its moment on', async () => {
    const issued = { name: 'k', scopes: ['knowledge:read'], userId: null }
    const revoked = await issueApiKey(service.database, 'default', { ...issued, expiresAt: null })
    assert.equal(await read(revoked.key), 200)
    await revokeApiKey(service.database, 'default', revoked.id)
    assert.equal(await read(revoked.key), 401)
    const expiresAt = Date.now() + 60_000
    const { key } = await issueApiKey(service.database, 'default', { ...issued, expiresAt })
    const authorization = `Bearer ${key}`
    const facts = {
      authorization,
      hasApiKeyHeader: false,
      cookies: undefined,
      host: '',
      scopes: '',
      auditSource: undefined,
      clientId: undefined,
    }
    const at = (now: number) =>
      callerResolver(
        service.database,
        NOTHING_SEEN,
        () => 'http://localhost',
        () => now,
      )(facts)
    assert.equal((await at(expiresAt - 1)).tenant.id, 'default')
    await assert.rejects(at(expiresAt), { kind: 'unauthorized' })
  })
})

function highest(scopes: readonly string[]): Ceiling {
  return CEILINGS.findLast((level) => scopes.includes(`visibility:${level}`)) ?? 'public'
}

function lower(one: Ceiling, other: Ceiling): Ceiling {
  return CEILINGS[Math.min(CEILINGS.indexOf(one), CEILINGS.indexOf(other))]
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findApiKey } from '../../src/identity/api-keys/store.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { lockUser } from '../../src/identity/sessions/lock-rules.ts'
import type { Identity } from '../../src/identity/sessions/provider-client.ts'
import { DEFAULT_RULES } from '../../src/identity/sign-in-rules/contract.ts'
import { GroupMembers } from '../../src/identity/sign-in-rules/members.ts'
import { putRules } from '../../src/identity/sign-in-rules/store.ts'
import { findUser } from '../../src/identity/users/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'
import { writeWaits } from '../support/waiting-writes.ts'

const identity = (groups: readonly string[]): Identity => ({
  issuer: 'https://accounts.example',
  subject: 'leaver',
  idToken: '',
  claims: { groups },
  userInfo: async () => ({}),
  verifiedEmail: async () => 'leaver@x',
})

onEachDatabase('a person who leaves all groups of the company account', (kind) => {
  let service: TestService
  before(async () => {
    service = await joinService(kind)
  })
  after(() => service.stop())

  test('takes along a key that they are issuing at that moment', async () => {
    const { database, tenantId } = service
    const groups = [{ group: 'chiefs', role: 'admin', ceiling: null }] as const
    const rules = { ...DEFAULT_RULES, link_by_email: true, link_proof: false, groups }
    await putRules(database.queries, tenantId, { rules: JSON.stringify(rules), version: 2 })
    const { userId } = await service.user({ email: 'leaver@x' })
    await service.user({ email: 'staying@x' })
    const members = new GroupMembers(database)
    const user = (await findUser(database.queries, tenantId, userId))!
    assert.notEqual(await members.admit(user, identity(['chiefs'])), null)

    const wish = { name: 'Late', scopes: ['knowledge:read'], userId: null, expiresAt: null }
    const issuer = { userId, credentialId: null, audit: { source: 'api', clientId: null }, kind: 'session' } as const
    let leaving: Promise<unknown> = Promise.resolve()
    const { id } = await issueApiKey(database, tenantId, wish, issuer, async (tx) => {
      assert.ok(await lockUser(tx, tenantId, userId))
      leaving = members.admit(user, identity([]))
      await writeWaits(database)
    })
    assert.equal(await leaving, null)
    assert.notEqual((await findUser(database.queries, tenantId, userId))!.disabled_at, null)
    assert.notEqual((await findApiKey(database.queries, tenantId, id))!.revoked_at, null)
  })
})

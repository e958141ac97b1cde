import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { updateUser } from '../../src/identity/users/store.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const WORKSPACES = '/api/knowledge/workspaces'

onEachDatabase('who may read an entry', (kind) => {
  let service: TestService
  let editorId: string
  let editorKey: string

  before(async () => {
    service = await joinService(kind)
    await service.user({ email: 'one@x', role: 'reader' })
    await service.user({ email: 'two@x', role: 'reader' })
    const { userId } = await service.user({ email: 'gone@x', role: 'reader' })
    const disabled = { disabled_at: Date.now() }
    await service.database.write((tx) => updateUser(tx, service.tenantId, userId, disabled), service.tenantId)
    ;({ userId: editorId, key: editorKey } = await service.user({ email: 'editor@x', role: 'editor' }))
  })
  after(() => service.stop())

  const ask = (query: string, key = service.adminKey) => service.call('GET', `/api/knowledge/readers?${query}`, { key })
  const count = async (query: string, key?: string): Promise<number> => {
    const { status, body } = await ask(query, key)
    assert.equal(status, 200, JSON.stringify(body))
    return body.people
  }

  // The first start makes one administrator.
  test('is counted by roles, without people who are disabled', async () => {
    assert.deepEqual((await ask('visibility=internal')).body, { people: 4, total: 4 })
    assert.equal(await count('visibility=public'), 4)
    assert.equal(await count('visibility=workspace'), 2)
    assert.equal(await count('visibility=workspace', editorKey), 2)
    assert.equal(await count('visibility=restricted'), 1)
    assert.equal(await count('visibility=personal', editorKey), 1)
  })

  test('is counted up to the ceiling that a user has of their own', async () => {
    const bounded = await service.tenant('bounded')
    const { key } = await service.user({ tenant: bounded, email: 'chief@x' })
    const { userId } = await service.user({ tenant: bounded, email: 'second@x' })
    assert.equal(await count('visibility=restricted', key), 2)
    for (const [ceiling, seen] of [
      ['internal', { public: 2, internal: 2, workspace: 1, restricted: 1 }],
      ['public', { public: 2, internal: 1, workspace: 1, restricted: 1 }],
      ['restricted', { public: 2, internal: 2, workspace: 2, restricted: 2 }],
    ] as const) {
      await service.database.write((tx) => updateUser(tx, bounded, userId, { ceiling }), bounded)
      for (const [level, people] of Object.entries(seen)) {
        assert.deepEqual((await ask(`visibility=${level}`, key)).body, { people, total: 2 }, `${ceiling} ${level}`)
      }
    }
  })

  test('is the members of a workspace once the tenant uses workspaces, told to members and administrators', async () => {
    const { body: own } = await service.call('POST', WORKSPACES, { body: { name: 'Own' } })
    const { body: other } = await service.call('POST', WORKSPACES, { body: { name: 'Other' } })
    await service.call('POST', `${WORKSPACES}/${own.id}/members`, { body: { user_ids: [editorId] } })
    assert.equal(await count(`visibility=workspace&workspace_id=${own.id}`), 2, 'workspaces are off')
    await changeTenant(service.database, service.tenantId, { settings: { workspaces: 'true' } })
    try {
      // The user who made the workspaces is a member of both.
      assert.equal(await count(`visibility=workspace&workspace_id=${own.id}`, editorKey), 2)
      assert.equal(await count(`visibility=workspace&workspace_id=${other.id}`), 1)
      assert.equal(await count('visibility=workspace'), 0, 'an entry of no workspace')
      assert.equal((await ask(`visibility=workspace&workspace_id=${other.id}`, editorKey)).status, 403)
    } finally {
      await changeTenant(service.database, service.tenantId, { settings: { workspaces: 'false' } })
    }
  })

  test('is refused for a workspace of another tenant and for a level that there is not', async () => {
    const theirs = await service.tenant('theirs')
    const { key } = await service.user({ tenant: theirs, email: 'admin@theirs' })
    const { body } = await service.call('POST', WORKSPACES, { key, body: { name: 'Theirs' } })
    const foreign = await ask(`visibility=workspace&workspace_id=${body.id}`)
    assert.equal(foreign.status, 422)
    assert.deepEqual(foreign.body.detail[0].loc, ['query', 'workspace_id'])
    assert.deepEqual((await ask('visibility=secret')).body.detail[0].loc, ['query', 'visibility'])
    assert.equal((await ask('visibility=internal', key)).body.total, 1)
  })
})

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const PROJECTS = '/api/knowledge/projects'
const WORKSPACES = '/api/knowledge/workspaces'
const ENTRIES = '/api/knowledge/knowledge-entries'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onEachDatabase('projects and workspaces', (kind) => {
  let service: TestService
  let category: string
  before(async () => {
    service = await joinService(kind)
    category = await service.category()
  })
  after(() => service.stop())

  const project = async (name = 'P') => (await service.call('POST', PROJECTS, { body: { name } })).body.id as string
  const entry = async (fields: object = {}) =>
    (
      await service.call('POST', ENTRIES, {
        body: { title: 'Okapi', content: 'Okapi', category_id: category, ...fields },
      })
    ).body.id as string
  const idsIn = async (projectId: string, key?: string) => {
    const search = await service.call('POST', `${ENTRIES}/search`, {
      key,
      body: { query: 'Okapi', mode: 'keyword', project_id: projectId, limit: 100 },
    })
    const list = await service.call('GET', `${ENTRIES}?project_id=${projectId}`, { key })
    const ids = (rows: { id: string }[]) => rows.map((row) => row.id).sort()
    const inSearch = ids(search.body.map((hit: { entry: { id: string } }) => hit.entry))
    assert.deepEqual(inSearch, ids(list.body))
    return inSearch
  }

  test('a project is created, read, listed by name, changed and deleted', async () => {
    const created = await service.call('POST', PROJECTS, { body: { name: 'Beta', description: 'two' } })
    assert.equal(created.status, 201)
    await project('Alpha')
    const names = (await service.call('GET', PROJECTS)).body.map((row: { name: string }) => row.name)
    assert.deepEqual(names.slice(0, 2), ['Alpha', 'Beta'])
    const path = `${PROJECTS}/${created.body.id}`
    assert.equal((await service.call('PATCH', path, { body: { name: 'Gamma' } })).body.description, 'two')
    assert.equal((await service.call('DELETE', path)).status, 204)
    assert.equal((await service.call('GET', path)).status, 404)
  })

  test('adding keeps the existing entries, setting replaces them, and search follows at once', async () => {
    const id = await project()
    const [a, b, c] = [await entry(), await entry(), await entry()]
    const path = `${PROJECTS}/${id}/entries`
    assert.deepEqual((await service.call('POST', path, { body: { entry_ids: [a, b, a] } })).body, {
      added: 2,
      removed: 0,
      total: 2,
    })
    assert.deepEqual((await service.call('POST', path, { body: { entry_ids: [b, c] } })).body, {
      added: 1,
      removed: 0,
      total: 3,
    })
    assert.deepEqual(await idsIn(id), [a, b, c].sort())
    assert.deepEqual((await service.call('PUT', path, { body: { entry_ids: [c] } })).body, {
      added: 0,
      removed: 2,
      total: 1,
    })
    assert.deepEqual(await idsIn(id), [c])
    assert.equal((await service.call('DELETE', `${path}/${c}`)).status, 204)
    assert.equal((await service.call('DELETE', `${path}/${c}`)).status, 404)
    assert.deepEqual(await idsIn(id), [])
  })

  test('a caller adds and removes only visible entries', async () => {
    const id = await project()
    const [hidden, open] = [await entry({ visibility: 'restricted' }), await entry({ visibility: 'public' })]
    const path = `${PROJECTS}/${id}/entries`
    await service.call('PUT', path, { body: { entry_ids: [hidden] } })
    const key = await service.key(['knowledge:read', 'knowledge:write', 'visibility:internal'])
    assert.deepEqual((await service.call('PUT', path, { key, body: { entry_ids: [open] } })).body, {
      added: 1,
      removed: 0,
      total: 1,
    })
    assert.deepEqual(await idsIn(id, key), [open])
    assert.deepEqual(await idsIn(id), [hidden, open].sort())
  })

  test('deleting a project keeps its entries, and the project is no longer a filter', async () => {
    const id = await project()
    const entryId = await entry()
    await service.call('PUT', `${PROJECTS}/${id}/entries`, { body: { entry_ids: [entryId] } })
    assert.equal((await service.call('DELETE', `${PROJECTS}/${id}`)).status, 204)
    assert.equal((await service.call('GET', `${ENTRIES}?project_id=${id}`)).status, 422)
    assert.equal((await service.call('GET', `${ENTRIES}/${entryId}`)).status, 200)
  })

  test('workspace members are users of the tenant, added, set and removed by administrators', async () => {
    const { body: workspace } = await service.call('POST', WORKSPACES, { body: { name: 'W' } })
    const ada = await service.user({ email: `ada-${kind.name}@example.com`, role: 'editor' })
    const bob = await service.user({ email: `bob-${kind.name}@example.com`, role: 'reader' })
    const path = `${WORKSPACES}/${workspace.id}/members`
    assert.equal((await service.call('POST', path, { body: { user_ids: [ada.userId] } })).body.added, 1)
    assert.deepEqual((await service.call('PUT', path, { body: { user_ids: [bob.userId] } })).body, {
      added: 1,
      // Ada and the user who made it.
      removed: 2,
      total: 1,
    })
    const listed = await service.call('GET', path)
    assert.deepEqual(listed.body, [
      { user_id: bob.userId, email: `bob-${kind.name}@example.com`.toLowerCase(), name: listed.body[0].name },
    ])
    assert.equal((await service.call('GET', path, { key: ada.key })).status, 403)
    const unknown = await service.call('POST', path, { body: { user_ids: [UNKNOWN] } })
    assert.deepEqual([unknown.status, unknown.body.detail[0].loc], [422, ['body', 'user_ids', '0']])
    assert.equal((await service.call('DELETE', `${path}/${bob.userId}`)).status, 204)
    assert.equal((await service.call('DELETE', `${path}/${bob.userId}`)).status, 404)
  })

  test('the creator of a workspace is a member, if the credential belongs to a user', async () => {
    const eve = await service.user({ email: `eve-${kind.name}@example.com`.toLowerCase(), role: 'admin' })
    const members = async (key: string) => {
      const { body, status } = await service.call('POST', WORKSPACES, { key, body: { name: 'Same name' } })
      assert.equal(status, 201)
      const listed = await service.call('GET', `${WORKSPACES}/${body.id}/members`)
      return listed.body.map((row: { user_id: string }) => row.user_id)
    }
    assert.deepEqual(await members(eve.key), [eve.userId])
    assert.deepEqual(await members(await service.key(['tenant:admin'])), [])
  })

  test('a workspace can be deleted once it has no entries', async () => {
    const { body: workspace } = await service.call('POST', WORKSPACES, { body: { name: 'Full' } })
    const id = await entry({ visibility: 'workspace', workspace_id: workspace.id })
    assert.equal((await service.call('DELETE', `${WORKSPACES}/${workspace.id}`)).status, 409)
    await service.call('DELETE', `${ENTRIES}/${id}`)
    assert.equal((await service.call('DELETE', `${WORKSPACES}/${workspace.id}`)).status, 204)
  })
})

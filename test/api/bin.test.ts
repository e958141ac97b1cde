import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startSweeper } from '../../src/composition/sweeper.ts'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const BASE = '/api/knowledge/knowledge-entries'
const BIN = '/api/knowledge/bin'
const DAY_MS = 86_400_000

onEachDatabase('the bin', (kind) => {
  let service: TestService
  let category: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category()
  })
  after(() => service.stop())

  const create = async (fields: object = {}, key = service.adminKey) => {
    const body = { title: 'A title', content: 'Some content', category_id: category, ...fields }
    const answer = await service.call('POST', BASE, { key, body })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  const remove = async (id: string, key = service.adminKey): Promise<void> => {
    assert.equal((await service.call('DELETE', `${BASE}/${id}`, { key })).status, 204)
  }
  const restore = (id: string, key = service.adminKey) => service.call('POST', `${BIN}/${id}/restore`, { key })
  const read = async (id: string) => (await service.call('GET', `${BASE}/${id}`)).body
  const binned = async (key = service.adminKey): Promise<{ id: string }[]> =>
    (await service.call('GET', BIN, { key })).body
  const hitIds = async (query: string): Promise<string[]> => {
    const { body } = await service.call('POST', `${BASE}/search`, { body: { query, mode: 'keyword' } })
    return body.map((hit: { entry: { id: string } }) => hit.entry.id)
  }
  const send = async (line: object, key = service.adminKey) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const body = JSON.stringify({ title: 'A title', content: 'Some content', category_id: category, ...line })
    const { watermark, ...told } = (await service.call('POST', `${BASE}/bulk`, { key, body, headers })).body
    assert.equal(typeof watermark, 'string')
    return told
  }
  const actionsOn = async (id: string): Promise<string[]> => {
    const rows = await service.database.queries
      .selectFrom('audit_log')
      .select(['action', 'source'])
      .where('resource_id', '=', id)
      .orderBy('id')
      .execute()
    return rows.map(({ action, source }) => (source === 'api' ? action : `${action} by ${source}`))
  }

  test('lists what was deleted and until when, while every other route answers as if it were gone', async () => {
    const entry = await create({ title: 'Quittenmus', tags: ['jam'], source_reference: 'kitchen/jam' })
    await remove(entry.id)
    const [first] = await binned()
    const { deleted_at, purge_at, deleted_by_user_id, ...rest } = first as unknown as Record<string, unknown>
    assert.deepEqual(rest, {
      id: entry.id,
      tenant_id: service.tenantId,
      type: 'knowledge',
      title: 'Quittenmus',
      category_id: category,
      visibility: 'internal',
      language: entry.language,
      workspace_id: null,
      source: 'manual',
      source_reference: 'kitchen/jam',
      created_by_user_id: entry.created_by_user_id,
      version: 1,
    })
    assert.equal(Date.parse(purge_at as string) - Date.parse(deleted_at as string), 30 * DAY_MS)
    assert.equal(deleted_by_user_id, entry.created_by_user_id)
    for (const path of ['', '/versions', '/versions/1', '/translations', '/related']) {
      assert.equal((await service.call('GET', `${BASE}/${entry.id}${path}`)).status, 404, path)
    }
    assert.deepEqual((await service.call('GET', `${BASE}?tag=jam`)).body, [])
    assert.deepEqual(await hitIds('Quittenmus'), [])
    assert.equal((await service.call('PATCH', `${BASE}/${entry.id}`, { body: { title: 'x' } })).status, 404)
    assert.equal((await service.call('DELETE', `${BASE}/${entry.id}`)).status, 404)
  })

  test('restores an entry as it was: id, versions, tags, projects and sites; search finds it at once', async () => {
    const entry = await create({ title: 'Before', tags: ['pear'] })
    await service.call('PATCH', `${BASE}/${entry.id}`, { body: { title: 'Birnenmost' } })
    const [keptProject, droppedProject] = await Promise.all(
      ['Kept', 'Dropped'].map(
        async (name) => (await service.call('POST', '/api/knowledge/projects', { body: { name } })).body.id as string,
      ),
    )
    const site = (await service.call('POST', '/api/knowledge/sites', { body: { slug: 'mill', name: 'Mill' } })).body.id
    const members = { entry_ids: [entry.id] }
    for (const project of [keptProject, droppedProject]) {
      await service.call('POST', `/api/knowledge/projects/${project}/entries`, { body: members })
    }
    await service.call('POST', `/api/knowledge/sites/${site}/knowledge`, { body: members })
    const before = await read(entry.id)
    await remove(entry.id)
    assert.deepEqual(await hitIds('Birnenmost'), [])
    assert.equal((await service.call('DELETE', `/api/knowledge/projects/${droppedProject}`)).status, 204)

    const restored = await restore(entry.id)
    assert.equal(restored.status, 200)
    assert.deepEqual(restored.body, before)
    assert.equal(restored.headers.get('etag'), '"2"')
    assert.deepEqual(await read(entry.id), before)
    assert.equal((await service.call('GET', `${BASE}/${entry.id}/versions/1`)).body.title, 'Before')
    assert.deepEqual(await hitIds('Birnenmost'), [entry.id])
    for (const query of ['tag=pear', `project_id=${keptProject}`, `site_id=${site}`]) {
      const { body } = await service.call('GET', `${BASE}?${query}`)
      assert.deepEqual(
        body.map(({ id }: { id: string }) => id),
        [entry.id],
        query,
      )
    }
    assert.ok(!(await binned()).some(({ id }) => id === entry.id))
    assert.equal((await restore(entry.id)).status, 404)
    assert.deepEqual(await actionsOn(entry.id), ['create', 'update', 'delete', 'restore'])
  })

  test('holds the same entry again after it was restored and deleted once more', async () => {
    const { id } = await create()
    for (let round = 0; round < 2; round++) {
      await remove(id)
      assert.equal((await restore(id)).status, 200)
    }
  })

  test('does not restore into a category or workspace that was deleted meanwhile', async () => {
    const gone = await service.category('Gone')
    const crew = (await service.call('POST', '/api/knowledge/workspaces', { body: { name: 'Crew' } })).body.id
    const inCategory = await create({ category_id: gone })
    const inWorkspace = await create({ workspace_id: crew })
    for (const { id } of [inCategory, inWorkspace]) await remove(id)
    assert.equal((await service.call('DELETE', `/api/knowledge/categories/${gone}`)).status, 204)
    assert.equal((await service.call('DELETE', `/api/knowledge/workspaces/${crew}`)).status, 204)
    for (const [id, what] of [
      [inCategory.id, 'category'],
      [inWorkspace.id, 'workspace'],
    ]) {
      const { status, body } = await restore(id)
      const detail = [{ loc: ['path', 'entry_id'], msg: `The ${what} of the entry was deleted`, type: 'conflict' }]
      assert.deepEqual([status, body.detail], [409, detail])
    }
    const left = new Set((await binned()).map(({ id }) => id))
    assert.ok(left.has(inCategory.id) && left.has(inWorkspace.id))
  })

  test('is emptied by hand, one entry at a time, and nothing of a purged entry remains', async () => {
    const { id } = await create()
    await service.call('PATCH', `${BASE}/${id}`, { body: { title: 'Later' } })
    await remove(id)
    assert.equal((await service.call('DELETE', `${BIN}/${id}`)).status, 204)
    assert.equal((await service.call('DELETE', `${BIN}/${id}`)).status, 404)
    assert.equal((await restore(id)).status, 404)
    const versions = service.database.queries.selectFrom('binned_entry_versions').selectAll().where('entry_id', '=', id)
    assert.deepEqual(await versions.execute(), [])
    assert.deepEqual(await actionsOn(id), ['create', 'update', 'delete', 'purge'])
  })

  test('is emptied by the sweeper once the time is over, in steps, and the audit log says so', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await create({ content: 'x'.repeat(900_000) })).id)
    for (const id of ids) await remove(id)
    let now = Date.now() + 29 * DAY_MS
    const sweeper = startSweeper(service.database, assert.ifError)
    await sweeper.sweep(now)
    assert.ok((await binned()).length >= 5)
    now += 2 * DAY_MS
    await sweeper.sweep(now)
    await sweeper.close()
    assert.deepEqual(await binned(), [])
    for (const id of ids) assert.deepEqual(await actionsOn(id), ['create', 'delete', 'purge by service'])
  })

  test('lists page by page, the last deleted first', async () => {
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await create()).id)
    for (const id of ids) await remove(id)
    const listed: string[] = []
    for (let next: string | null = `${BIN}?limit=2`; next !== null;) {
      const { body, headers } = await service.call('GET', next)
      assert.ok(body.length <= 2)
      listed.push(...body.map(({ id }: { id: string }) => id))
      next = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    assert.deepEqual(
      listed,
      (await binned()).map(({ id }) => id),
    )
    assert.equal(new Set(listed).size, listed.length)
    assert.deepEqual(new Set(listed.slice(0, 5)), new Set(ids))
  })

  test('a bulk line with the reference of a deleted entry brings it back, with its versions and level', async () => {
    const entry = await create({ source_reference: 'doc/a', visibility: 'public', title: 'Old', type: 'knowledge' })
    await remove(entry.id)
    const told = await send({ title: 'New', source_reference: 'doc/a' })
    assert.deepEqual(told, { line: 1, status: 'restored', id: entry.id, source_reference: 'doc/a' })
    const now = await read(entry.id)
    assert.deepEqual(
      [now.title, now.version, now.visibility, now.translation_group_id],
      ['New', 2, 'public', entry.translation_group_id],
    )
    assert.equal((await service.call('GET', `${BASE}/${entry.id}/versions/1`)).body.title, 'Old')
    assert.deepEqual(await actionsOn(entry.id), ['create', 'delete', 'restore', 'update'])
    assert.equal((await send({ title: 'New', source_reference: 'doc/a' })).status, 'unchanged')
  })

  test('a bulk line that says the same as the deleted entry brings it back without a new version', async () => {
    const line = { title: 'Same', source_reference: 'doc/same' }
    const { id } = await send(line)
    await remove(id)
    assert.deepEqual(await send(line), { line: 1, status: 'restored', id, source_reference: 'doc/same' })
    assert.equal((await read(id)).version, 1)
    assert.deepEqual(await actionsOn(id), ['create', 'delete', 'restore'])
  })

  test('a bulk line brings an entry back into another category when its own was deleted', async () => {
    const gone = await service.category('Gone too')
    const { id } = await create({ source_reference: 'doc/moved', category_id: gone })
    await remove(id)
    await service.call('DELETE', `/api/knowledge/categories/${gone}`)
    assert.equal((await send({ source_reference: 'doc/moved' })).status, 'restored')
    assert.equal((await read(id)).category_id, category)
  })

  test('a bulk line does not bring back an entry of another type or a private note', async () => {
    const entry = await create({ source_reference: 'doc/type' })
    await remove(entry.id)
    const skill = await send({ type: 'skill', metadata: { steps: ['one'] }, source_reference: 'doc/type' })
    assert.equal(skill.status, 'created')
    const body = { title: 'Mine', content: 'Secret', category_id: category, source_reference: 'doc/private' }
    const note = (await service.call('POST', `${BASE}/personal`, { body })).body
    await remove(note.id)
    assert.equal((await send({ source_reference: 'doc/private' })).status, 'created')
    const left = new Set((await binned()).map(({ id }) => id))
    assert.ok(left.has(entry.id) && left.has(note.id))
  })

  test('a new entry with the reference of a deleted one is that entry again, for a caller who may read it', async () => {
    const entry = await create({ source_reference: 'doc/new', title: 'Old' })
    await remove(entry.id)
    const writer = await service.key(['knowledge:write', 'visibility:internal'])
    const hidden = await create({ source_reference: 'doc/new', title: 'Written blind' }, writer)
    assert.deepEqual([hidden.id === entry.id, hidden.version], [false, 1])
    await remove(hidden.id)
    await service.call('DELETE', `${BIN}/${hidden.id}`)
    const again = await create({ source_reference: 'doc/new', title: 'New' })
    assert.deepEqual([again.id, again.version, again.title], [entry.id, 2, 'New'])
  })

  test('shows and restores for each caller only what the caller could delete', async () => {
    const { key: other } = await service.user({ email: 'other@example.com', role: 'editor' })
    const hidden = await create({ visibility: 'restricted', source_reference: 'doc/hidden' })
    const body = { title: 'Mine', content: 'Secret', category_id: category }
    const note = (await service.call('POST', `${BASE}/personal`, { body })).body
    for (const { id } of [hidden, note]) {
      await remove(id)
      assert.ok(!(await binned(other)).some((one) => one.id === id))
      assert.equal((await restore(id, other)).status, 404)
      assert.equal((await service.call('DELETE', `${BIN}/${id}`, { key: other })).status, 404)
    }
    assert.equal((await send({ source_reference: 'doc/hidden' }, other)).status, 'created')
    assert.equal((await restore(note.id)).status, 200)
    assert.equal((await restore(hidden.id)).status, 200)
  })

  test('restores for a caller who may delete but not read, without telling what it was', async () => {
    const { id } = await create({ visibility: 'public' })
    await remove(id)
    const key = await service.key(['knowledge:delete'])
    assert.equal((await service.call('GET', BIN, { key })).status, 403)
    const { status, body, headers } = await restore(id, key)
    assert.deepEqual([status, body, headers.get('etag')], [204, null, null])
    assert.equal((await read(id)).id, id)
  })

  test('can be turned off by a tenant; then a deleted entry is gone for good', async () => {
    const tidy = await service.tenant('tidy')
    const { key } = await service.user({ tenant: tidy, email: 'owner@tidy.example' })
    await changeTenant(service.database, tidy, { settings: { binDays: '0' } })
    const { id } = await create({ category_id: await service.category('There', key) }, key)
    await remove(id, key)
    assert.deepEqual(await binned(key), [])
    assert.equal((await restore(id, key)).status, 404)
  })
})

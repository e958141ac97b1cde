import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '../../src/platform/ids.ts'
import { onEachDatabase } from '../support/databases.ts'
import { send } from '../support/send.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const API = '/api/knowledge'
const MIB = 1_024 * 1_024
const COUNT = 1_005

onEachDatabase('lists', (kind) => {
  let service: TestService
  let category: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category()
  })
  after(() => service.stop())

  /** Returns the pages of a list, following its links. */
  // oxlint-disable-next-line typescript/no-explicit-any -- lists are of every shape
  async function pagesOf(path: string, key = service.adminKey): Promise<any[][]> {
    const pages = []
    for (let next: string | null = path; next !== null;) {
      const answer = await service.call('GET', next, { key })
      assert.equal(answer.status, 200, `${next} ${JSON.stringify(answer.body).slice(0, 300)}`)
      pages.push(answer.body)
      next = /^<([^>]*)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null
    }
    return pages
  }

  async function bytesOf(method: string, path: string, body?: object): Promise<number> {
    const headers = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' }
    const answer = await send(service.service.url + path, { method, headers, body: JSON.stringify(body) })
    assert.equal(answer.status, 200)
    return Buffer.byteLength(answer.text)
  }

  const stored = () => ({ tenant_id: service.tenantId, description: null, created_at: 1, updated_at: 1 })

  test('every list comes in pages of at most 1,000 without gaps or duplicates, in the order of the whole list', async () => {
    const { queries } = service.database
    const parent = await service.category('parent')
    const workspace = (await service.call('POST', `${API}/workspaces`, { body: { name: 'A workspace' } })).body.id
    const numbered = Array.from({ length: COUNT }, (_, i) => i)
    // Names that need escapes, and many that are the same.
    const nameOf = (i: number) => `\u0001"${'ä'.repeat(190)}${i % 400}`
    for (let at = 0; at < COUNT; at += 100) {
      const some = numbered.slice(at, at + 100)
      const rows = some.map((i) => ({ ...stored(), id: newId(), name: nameOf(i) }))
      await queries
        .insertInto('categories')
        .values(rows.map((row, i) => ({ ...row, parent_id: parent, sort_order: i % 2 })))
        .execute()
      const more = () => some.map((i) => ({ ...stored(), id: newId(), name: nameOf(i) }))
      await queries.insertInto('projects').values(more()).execute()
      await queries.insertInto('workspaces').values(more()).execute()
      const site = { tenant_id: service.tenantId, domain: null, language: 'de', site_type: 'shop', platform: null }
      await queries
        .insertInto('sites')
        .values(
          some.map((i) => {
            const id = newId()
            return { ...site, id, slug: id, name: nameOf(i), config: '{}', is_default: 0, created_at: 1 }
          }),
        )
        .execute()
      const users = some.map((i) => ({ id: newId(), email: `${'ä'.repeat(180)}${i}@example.com`, name: 'N' }))
      await queries
        .insertInto('users')
        .values(
          users.map((user) => ({
            ...user,
            tenant_id: service.tenantId,
            role: 'reader',
            disabled_at: null,
            created_at: 1,
          })),
        )
        .execute()
      const members = users.map(({ id }) => ({ tenant_id: service.tenantId, workspace_id: workspace, user_id: id }))
      await queries.insertInto('workspace_members').values(members).execute()
      const key = { tenant_id: service.tenantId, user_id: null, name: 'K', hint: 'ks_', scopes: '', expires_at: null }
      await queries
        .insertInto('api_keys')
        .values(
          some.map((i) => {
            const id = newId()
            return { ...key, id, hash: id, revoked_at: null, last_used_at: null, created_at: i % 300 }
          }),
        )
        .execute()
      const metadata = JSON.stringify({
        client_name: 'C',
        redirect_uris: [],
        grant_types: [],
        scope: '',
        token_endpoint_auth_method: 'none',
      })
      const client = {
        tenant_id: service.tenantId,
        registration: 'key' as const,
        metadata,
        secret_hash: null,
        management_hash: null,
      }
      await queries
        .insertInto('oauth_clients')
        .values(
          some.map((i) => {
            const id = newId()
            return {
              ...client,
              id,
              scopes_max: '',
              user_id: null,
              key_id: null,
              created_at: i % 300,
              last_used_at: null,
            }
          }),
        )
        .execute()
      const payload = JSON.stringify({ resources: { 'http://localhost/mcp': 'knowledge:read' } })
      const record = { tenant_id: service.tenantId, kind: 'Grant', payload, uid: null, scopes: '', audience: null }
      await queries
        .insertInto('oauth_records')
        .values(
          some.map((i) => {
            const id = newId()
            const of = { hash: `${(i * 31) % 997} ${id}`, grant_id: id, client_id: id, user_id: users[0].id }
            return { ...record, ...of, consumed_at: null, created_at: i % 300, expires_at: Date.now() * 2 }
          }),
        )
        .execute()
    }
    /** Each list, and what it is ordered by where both databases order that alike. */
    const lists: readonly (readonly [string, string | null, 1 | -1])[] = [
      [`${API}/categories`, 'sort_order', 1],
      [`${API}/categories?parent_id=${parent}`, 'sort_order', 1],
      [`${API}/projects`, null, 1],
      [`${API}/workspaces`, null, 1],
      [`${API}/sites`, 'is_default', -1],
      [`${API}/workspaces/${workspace}/members`, 'email', 1],
      [`${API}/users`, 'email', 1],
      [`${API}/api-keys`, 'created_at', 1],
      [`${API}/oauth-clients`, 'created_at', -1],
      [`${API}/oauth-grants`, 'created_at', -1],
    ]
    for (const [path, field, direction] of lists) {
      const pages = await pagesOf(path)
      assert.deepEqual([pages.length, pages[0].length], [2, 1_000], path)
      const whole = pages.flat()
      assert.ok(whole.length >= COUNT, path)
      const idOf = (row: Record<string, string>) => row.id ?? row.user_id ?? row.client_id
      // The service notes now and then when a key was used.
      const withoutUse = ({ last_used_at: _used, ...row }: Record<string, string>) => row
      assert.equal(new Set(whole.map(idOf)).size, whole.length, path)
      const limited = await pagesOf(`${path}${path.includes('?') ? '&' : '?'}limit=300`)
      const lengths = limited.map((page) => page.length)
      assert.deepEqual(lengths, [300, 300, 300, whole.length - 900], path)
      assert.deepEqual(limited.flat().map(withoutUse), whole.map(withoutUse), path)
      if (field === null) continue
      const places = whole.map((row) => row[field])
      const ordered = places.toSorted((one, other) => (one < other ? -direction : one > other ? direction : 0))
      assert.deepEqual(places, ordered, path)
    }
    const refused = await service.call('GET', `${API}/categories?limit=1001`)
    assert.deepEqual([refused.status, refused.body.detail[0].loc], [422, ['query', 'limit']])
  })

  test('a page ends when its JSON exceeds 8 MiB, even if the stored text is a sixth of that', async () => {
    const control = '\u0001'
    const texts = ['a', 'b', 'c'].map((tag) => ({
      title: 'Escapes',
      content: `escapes ${control.repeat(900_000)}`,
      category_id: category,
      tags: ['escapes', tag],
    }))
    for (const body of texts) {
      // A request with six bytes per character would be too long, so the text is stored the way an import of files
      // would store it.
      const small = await service.call('POST', `${API}/knowledge-entries`, { body: { ...body, content: 'escapes' } })
      assert.equal(small.status, 201)
      await service.database.queries
        .updateTable('entries')
        .set({ content: body.content })
        .where('id', '=', small.body.id)
        .execute()
    }
    const path = `${API}/knowledge-entries?tag=escapes`
    assert.deepEqual(
      (await pagesOf(path)).map((page) => page.map((entry) => entry.tags[1])),
      [['c'], ['b'], ['a']],
    )
    assert.ok((await bytesOf('GET', path)) < 8 * MIB)
    for (const explain of [false, true]) {
      const question = { query: 'escapes', mode: 'keyword', tags: ['escapes'], explain }
      assert.ok((await bytesOf('POST', `${API}/knowledge-entries/search`, question)) < 8 * MIB, `explain ${explain}`)
    }
    const both = { query: 'escapes', sections: ['knowledge'], mode: 'keyword' }
    assert.ok((await bytesOf('POST', `${API}/search`, both)) < 8 * MIB)

    const parent = await service.category('long')
    const rows = Array.from({ length: 400 }, () => ({
      ...stored(),
      id: newId(),
      name: 'long',
      description: control.repeat(5_000),
      parent_id: parent,
      sort_order: 0,
    }))
    for (let at = 0; at < rows.length; at += 100)
      await service.database.queries
        .insertInto('categories')
        .values(rows.slice(at, at + 100))
        .execute()
    const below = await pagesOf(`${API}/categories?parent_id=${parent}`)
    assert.equal(below.flat().length, 400)
    assert.equal(below.length, 2)
    assert.ok((await bytesOf('GET', `${API}/categories?parent_id=${parent}`)) <= 8 * MIB + 2)
  })

  test('a list by tags follows what is created, changed, imported and deleted, and its total is exact', async () => {
    const create = async (fields: object, path = 'knowledge-entries') => {
      const body = { title: 'T', content: 'C', category_id: category, ...fields }
      const answer = await service.call('POST', `${API}/${path}`, { body })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      return answer.body.id as string
    }
    const listed = async (query: string, key = service.adminKey) => {
      const answer = await service.call('GET', `${API}/knowledge-entries?${query}&include_total=true`, { key })
      const ids = answer.body.map((entry: { id: string }) => entry.id)
      assert.equal(answer.headers.get('x-total-count'), String(ids.length), query)
      return ids
    }
    const first = await create({ tags: ['red', 'green'] })
    const second = await create({ tags: ['green', 'b"lue'], visibility: 'restricted' })
    const note = await create({ tags: ['red'] }, 'knowledge-entries/personal')
    assert.deepEqual(await listed('tag=red'), [note, first])
    assert.deepEqual(await listed('tag=green&tag=red&tag=none'), [note, second, first])
    assert.deepEqual(await listed(`tag=${encodeURIComponent('b"lue')}`), [second])
    const reader = await service.key(['knowledge:read', 'visibility:internal'])
    assert.deepEqual(await listed('tag=green&tag=red', reader), [first])
    await service.call('PATCH', `${API}/knowledge-entries/${first}`, { body: { tags: ['green', 'yellow'] } })
    assert.deepEqual(await listed('tag=red'), [note])
    assert.deepEqual(await listed('tag=yellow&tag=green'), [second, first])
    const line = { title: 'T', content: 'C', category_id: category, tags: ['green'], source_reference: 'tagged' }
    const bulk = async (tags: string[]) => {
      const headers = { 'content-type': 'application/x-ndjson' }
      const body = `${JSON.stringify({ ...line, tags })}\n`
      return (await service.call('POST', `${API}/knowledge-entries/bulk`, { body, headers })).body.id as string
    }
    const imported = await bulk(['green', 'imported'])
    assert.deepEqual(await listed('tag=imported'), [imported])
    assert.equal(await bulk(['yellow']), imported)
    assert.deepEqual(await listed('tag=imported'), [])
    assert.deepEqual(await listed('tag=yellow'), [imported, first])
    await service.call('DELETE', `${API}/knowledge-entries/${first}`)
    assert.deepEqual(await listed('tag=yellow&tag=green'), [imported, second])
  })

  test('categories are nested at most 64 levels deep; deeper ones from earlier versions stay and can be changed', async () => {
    let parent: string | null = null
    const line: string[] = []
    const create = (under: string | null) =>
      service.call('POST', `${API}/categories`, { body: { name: 'level', parent_id: under } })
    for (let depth = 1; depth <= 64; depth++) {
      const creation: { status: number; body: { id: string } } = await create(parent)
      assert.equal(creation.status, 201, `level ${depth}`)
      parent = creation.body.id
      line.push(parent)
    }
    const tooDeep = 'Categories can be nested 64 levels deep at most'
    const refused = await create(parent)
    assert.deepEqual(
      [refused.status, refused.body.detail[0].loc, refused.body.detail[0].msg],
      [422, ['body', 'parent_id'], tooDeep],
    )
    const top = (await create(null)).body.id
    const below = (await create(top)).body.id
    const move = (id: string, under: string | null) =>
      service.call('PUT', `${API}/categories/${id}`, { body: { parent_id: under } })
    // With its children the category would reach one level too deep; alone it fits.
    const moved = await move(top, line[62])
    assert.deepEqual([moved.status, moved.body.detail[0].msg], [422, tooDeep])
    assert.equal((await move(below, line[62])).status, 200)
    assert.deepEqual((await move(line[0], line[5])).body.detail[0].msg, 'A category cannot be below itself')
    // As an earlier version accepted it.
    const old = { ...stored(), name: 'old', sort_order: 0 }
    await service.database.queries
      .insertInto('categories')
      .values([
        { ...old, id: newId(), parent_id: line[63] },
        { ...old, id: '00000000-0000-7000-8000-00000000d33b', parent_id: line[63] },
      ])
      .execute()
    const deep = '00000000-0000-7000-8000-00000000d33b'
    assert.equal((await service.call('PUT', `${API}/categories/${deep}`, { body: { name: 'renamed' } })).status, 200)
    assert.equal((await create(deep)).status, 422)
    const entry = { title: 'Deep', content: 'down here', category_id: deep }
    assert.equal((await service.call('POST', `${API}/knowledge-entries`, { body: entry })).status, 201)
    const search = { query: 'down here', category_id: line[0], include_descendants: true }
    const answer = await service.call('POST', `${API}/knowledge-entries/search`, { body: search })
    assert.deepEqual(
      answer.body.map((hit: { entry: { title: string } }) => hit.entry.title),
      ['Deep'],
    )
    assert.equal((await move(deep, null)).status, 200)
  })
})

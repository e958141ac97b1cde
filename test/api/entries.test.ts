import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { BUILTIN_ID } from '../../src/embedding/builtin/builtin.ts'
import { BulkResult } from '../../src/knowledge/entries/contract.ts'
import { BulkEnded } from '../../src/platform/lines/bulk-result.ts'
import { compileCheck } from '../../src/platform/contract/check.ts'
import { threadSlices } from '../../src/platform/threads/slices.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { until } from '../support/patience.ts'
import { joinService } from '../support/shared-service.ts'
import { inTier } from '../support/tier.ts'

const BASE = '/api/knowledge/knowledge-entries'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'

onEachDatabase('knowledge entries', (kind) => {
  let service: TestService
  let category: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category()
  })
  after(() => service.stop())

  const entry = (fields: object = {}) => ({
    title: 'A title',
    content: 'Some content',
    category_id: category,
    ...fields,
  })
  const create = async (fields: object = {}, key = service.adminKey) => {
    const answer = await service.call('POST', BASE, { key, body: entry(fields) })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }

  test('a new entry has the documented defaults and says where it is', async () => {
    const answer = await service.call('POST', BASE, { body: entry() })
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('location'), `${BASE}/${answer.body.id}`)
    assert.equal(answer.headers.get('etag'), '"1"')
    const { id, created_at, updated_at, translation_group_id, created_by_user_id, ...rest } = answer.body
    assert.deepEqual(rest, {
      tenant_id: service.tenantId,
      type: 'knowledge',
      title: 'A title',
      content: 'Some content',
      summary: null,
      category_id: category,
      visibility: 'internal',
      layer: null,
      language: 'de',
      tags: [],
      search_keywords: [],
      metadata: {},
      workspace_id: null,
      source: 'manual',
      source_reference: null,
      version: 1,
      embedding_model: BUILTIN_ID,
    })
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(updated_at, created_at)
    assert.notEqual(translation_group_id, id)
    assert.ok(created_by_user_id)
    assert.deepEqual((await service.call('GET', `${BASE}/${id}`)).body, answer.body)
  })

  test('duplicate tags and keywords are removed and the order is kept', async () => {
    const created = await create({ tags: ['b', 'a', 'b'], search_keywords: ['x', 'x', 'y'] })
    assert.deepEqual(
      [created.tags, created.search_keywords],
      [
        ['b', 'a'],
        ['x', 'y'],
      ],
    )
  })

  test('an update changes the named fields, increments the version and keeps the previous one', async () => {
    const { id } = await create({ title: 'First', tags: ['keep'] })
    const updated = await service.call('PATCH', `${BASE}/${id}`, { body: { title: 'Second', unknown: 1 } })
    assert.equal(updated.status, 200)
    assert.deepEqual([updated.body.title, updated.body.version, updated.body.tags], ['Second', 2, ['keep']])
    assert.equal(updated.headers.get('etag'), '"2"')
    const versions = await service.call('GET', `${BASE}/${id}/versions`)
    assert.deepEqual(
      versions.body.map((v: { version: number; title: string }) => [v.version, v.title]),
      [
        [2, 'Second'],
        [1, 'First'],
      ],
    )
    const first = await service.call('GET', `${BASE}/${id}/versions?limit=1`)
    const [, rest] = /^<(.+)>; rel="next"$/.exec(first.headers.get('link')!)!
    const second = await service.call('GET', rest)
    assert.deepEqual([...first.body, ...second.body], versions.body)
    assert.deepEqual([versions.headers.get('link'), second.headers.get('link')], [null, null])
    assert.equal((await service.call('GET', `${BASE}/${id}/versions/1`)).body.title, 'First')
    assert.equal((await service.call('GET', `${BASE}/${id}/versions/2`)).body.title, 'Second')
    assert.equal((await service.call('GET', `${BASE}/${id}/versions/3`)).status, 404)
  })

  test('an update reveals nothing stored to a caller that may write but not read', async () => {
    const { id } = await create({ content: 'Told to readers alone', visibility: 'public' })
    const key = await service.key(['knowledge:write'])
    for (const [method, body] of [
      ['PATCH', {}],
      ['PUT', { tags: ['new'] }],
    ] as const) {
      const answer = await service.call(method, `${BASE}/${id}`, { key, body })
      assert.deepEqual([answer.status, answer.body, answer.headers.get('etag')], [204, null, null])
    }
    assert.deepEqual((await service.call('GET', `${BASE}/${id}`)).body.tags, ['new'])
    const narrowed = { body: {}, headers: { 'x-scopes': 'knowledge:write visibility:internal' } }
    assert.equal((await service.call('PATCH', `${BASE}/${id}`, narrowed)).status, 204)
  })

  test('an update that changes nothing leaves version and time', async () => {
    const created = await create({ type: 'skill', metadata: { steps: ['one'], outcome: 'done' } })
    const body = { title: created.title, metadata: { outcome: ' done ', steps: ['one'] } }
    const answer = await service.call('PUT', `${BASE}/${created.id}`, { body })
    assert.deepEqual(answer.body, created)
  })

  test('If-Match keeps updates and deletes from overwriting another change', async () => {
    const { id } = await create()
    const stale = await service.call('PATCH', `${BASE}/${id}`, { body: { title: 'x' }, headers: { 'if-match': '"7"' } })
    assert.equal(stale.status, 412)
    assert.equal(stale.body.detail[0].type, 'precondition_failed')
    assert.equal((await service.call('DELETE', `${BASE}/${id}`, { headers: { 'if-match': '"7"' } })).status, 412)
    assert.equal(
      (await service.call('PATCH', `${BASE}/${id}`, { body: { title: 'x' }, headers: { 'if-match': '"1"' } })).status,
      200,
    )
    assert.equal((await service.call('DELETE', `${BASE}/${id}`, { headers: { 'if-match': '"2"' } })).status, 204)
  })

  test('of two updates that expect the same version only one succeeds', async () => {
    const { id } = await create()
    const write = (title: string) =>
      service.call('PATCH', `${BASE}/${id}`, { body: { title }, headers: { 'if-match': '"1"' } })
    const statuses = (await Promise.all(['a', 'b', 'c', 'd'].map(write))).map((answer) => answer.status)
    assert.deepEqual(statuses.sort(), [200, 412, 412, 412])
  })

  test('a deleted entry is gone from reads, lists, versions and search', async () => {
    const { id } = await create({ title: 'Zebrafisch', content: 'Der Zebrafisch ist gestreift' })
    assert.equal((await service.call('DELETE', `${BASE}/${id}`)).status, 204)
    assert.equal((await service.call('GET', `${BASE}/${id}`)).status, 404)
    assert.equal((await service.call('GET', `${BASE}/${id}/versions`)).status, 404)
    assert.equal((await service.call('DELETE', `${BASE}/${id}`)).status, 404)
    const hits = await service.call('POST', `${BASE}/search`, { body: { query: 'Zebrafisch', mode: 'keyword' } })
    assert.deepEqual(hits.body, [])
  })

  test('metadata is validated by type, trimmed, completed and turned to UTC', async () => {
    const memory = await create({
      type: 'memory',
      metadata: { expires_at: '2999-01-01T00:00:00+02:00', subject: ' me ' },
    })
    assert.deepEqual(memory.metadata, { expires_at: '2998-12-31T22:00:00.000Z', subject: 'me', importance: 0.5 })
    const faulty = await service.call('POST', BASE, {
      body: entry({ type: 'process', metadata: { steps: [{}], colour: 'red' } }),
    })
    assert.equal(faulty.status, 422)
    assert.deepEqual(
      faulty.body.detail.map((d: { loc: string[]; type: string }) => [d.loc.join('.'), d.type]),
      [
        ['body.metadata.steps.0.title', 'missing'],
        ['body.metadata.colour', 'extra_forbidden'],
      ],
    )
  })

  test('expired memory leaves lists and search, but can still be read by id', async () => {
    const { id } = await create({ type: 'memory', content: 'Quokka', metadata: { expires_at: '2001-01-01T00:00:00Z' } })
    const listed = async (query: string) =>
      (await service.call('GET', `${BASE}?type=memory${query}`)).body.some((e: { id: string }) => e.id === id)
    assert.equal(await listed(''), false)
    assert.equal(await listed('&include_expired=true'), true)
    assert.equal((await service.call('GET', `${BASE}/${id}`)).status, 200)
    assert.deepEqual(
      (await service.call('POST', `${BASE}/search`, { body: { query: 'Quokka', mode: 'keyword' } })).body,
      [],
    )
  })

  test('a private note belongs to its owner until the owner publishes it', async () => {
    const owner = await service.user({ email: `owner-${kind.name}@example.com`, role: 'editor' })
    const note = await service.call('POST', `${BASE}/personal`, {
      key: owner.key,
      body: { title: 'Mine', content: 'Nachtigall', category_id: category },
    })
    assert.equal(note.status, 201)
    assert.deepEqual(
      [note.body.visibility, note.body.type, note.body.created_by_user_id],
      ['personal', 'knowledge', owner.userId],
    )
    const path = `${BASE}/${note.body.id}`
    assert.equal((await service.call('GET', path)).status, 404)
    assert.equal((await service.call('PATCH', path, { body: { title: 'Yours' } })).status, 404)
    assert.equal((await service.call('DELETE', path)).status, 404)
    const search = (key?: string) =>
      service.call('POST', `${BASE}/search`, { key, body: { query: 'Nachtigall', mode: 'keyword' } })
    assert.equal((await search()).body.length, 0)
    assert.equal((await search(owner.key)).body.length, 1)
    assert.equal(
      (await service.call('PATCH', path, { key: owner.key, body: { visibility: 'restricted' } })).status,
      403,
    )
    assert.equal((await service.call('PATCH', path, { key: owner.key, body: { visibility: 'internal' } })).status, 200)
    assert.equal((await service.call('GET', path)).status, 200)
    assert.equal((await service.call('GET', `${path}/versions/1`)).status, 404, 'the private version stays private')
    assert.equal((await service.call('GET', `${path}/versions`)).body.length, 1)
  })

  test('a private note accepts only fields of its contract', async () => {
    const body = entry({ search_keywords: [5, null], translation_group_id: 7, related_themes: {}, workspace_id: 1 })
    const note = await service.call('POST', `${BASE}/personal`, { body })
    assert.equal(note.status, 201)
    assert.deepEqual([note.body.search_keywords, note.body.workspace_id], [[], null])
    assert.match(note.body.translation_group_id, /^[0-9a-f-]{36}$/)
    const answer = await service.call('POST', `${BASE}/search`, { body: { query: 'content', mode: 'hybrid' } })
    assert.equal(answer.status, 200)
  })

  test('an import publishes nothing: it does not touch private notes, and keeps a stored level', async () => {
    const note = await service.call('POST', `${BASE}/personal`, { body: entry({ source_reference: 'notes/1' }) })
    const secret = await create({ source_reference: 'notes/2', visibility: 'restricted' })
    const lines = ['notes/1', 'notes/2'].map((source_reference) =>
      JSON.stringify(entry({ content: 'new', source_reference })),
    )
    const headers = { 'content-type': 'application/x-ndjson' }
    const answer = await service.call('POST', `${BASE}/bulk`, { body: lines.join('\n'), headers })
    const results = (answer.body as string)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { status: string; id: string })
    assert.deepEqual(
      results.map(({ status }) => status),
      ['created', 'updated'],
    )
    assert.notEqual(results[0].id, note.body.id)
    const read = async (id: string) => (await service.call('GET', `${BASE}/${id}`)).body
    assert.deepEqual(await read(note.body.id), note.body)
    assert.equal((await read(secret.id)).visibility, 'restricted')
    assert.equal((await read(results[0].id)).source, 'import')
  })

  test('with workspaces on, members alone see the entries of a workspace', async () => {
    const crew = await service.tenant('crew')
    const admin = await service.user({ tenant: crew, email: 'admin@crew' })
    const member = await service.user({ tenant: crew, email: 'member@crew', role: 'editor' })
    const stranger = await service.user({ tenant: crew, email: 'stranger@crew', role: 'editor' })
    const categoryId = await service.category('Crew', admin.key)
    const workspace = (
      await service.call('POST', '/api/knowledge/workspaces', { key: admin.key, body: { name: 'North' } })
    ).body.id
    const members = { user_ids: [member.userId] }
    assert.equal(
      (await service.call('PUT', `/api/knowledge/workspaces/${workspace}/members`, { key: admin.key, body: members }))
        .body.total,
      1,
    )
    const fields = {
      title: 'W',
      content: 'Walross',
      category_id: categoryId,
      visibility: 'workspace',
      workspace_id: workspace,
    }
    const created = await service.call('POST', BASE, { key: member.key, body: fields })
    assert.equal(created.status, 201)
    const sees = async (key: string) => {
      const read = (await service.call('GET', `${BASE}/${created.body.id}`, { key })).status === 200
      const isFound =
        (await service.call('POST', `${BASE}/search`, { key, body: { query: 'Walross', mode: 'keyword' } })).body
          .length === 1
      const listed = (await service.call('GET', BASE, { key })).body.length === 1
      assert.deepEqual([isFound, listed], [read, read])
      return read
    }
    assert.deepEqual([await sees(member.key), await sees(stranger.key), await sees(admin.key)], [true, true, true])
    const { changeTenant } = await import('../../src/identity/tenants/rules.ts')
    await changeTenant(service.database, crew, { settings: { workspaces: 'true' } })
    assert.deepEqual([await sees(member.key), await sees(stranger.key), await sees(admin.key)], [true, false, false])
    assert.equal((await service.call('POST', BASE, { key: stranger.key, body: fields })).status, 403)
  })

  test('paging through a list returns every entry once, even while others are created', async () => {
    const tag = `walk-${kind.name}`
    const ids = new Set<string>()
    for (let i = 0; i < 25; i++) ids.add((await create({ tags: [tag] })).id)
    const seen: string[] = []
    let next: string | null = `${BASE}?tag=${tag}&tag=never&limit=4&include_total=true`
    while (next !== null) {
      const page = await service.call('GET', next)
      assert.equal(page.status, 200)
      seen.push(...page.body.map((e: { id: string }) => e.id))
      await create({ tags: [tag] })
      next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? null
    }
    assert.deepEqual(new Set(seen), ids)
    assert.equal(seen.length, ids.size)
    const total = await service.call('GET', `${BASE}?tag=${tag}&include_total=true&limit=1`)
    assert.equal(Number(total.headers.get('x-total-count')), 32)
  })

  test('bulk import answers line by line, a bad line affects only itself, and a repetition changes nothing', async () => {
    const lines = [
      entry({ title: 'One', source_reference: 'bulk/1' }),
      entry({ title: '' }),
      '{"title": "broken"',
      entry({ title: 'Two', category_id: UNKNOWN }),
      entry({ title: 'Three', source_reference: 'bulk/3', visibility: 'public' }),
    ]
    const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
    const send = async (text: string) => {
      const answer = await service.call('POST', `${BASE}/bulk`, {
        body: text,
        headers: { 'content-type': 'application/x-ndjson' },
      })
      assert.equal(answer.status, 200)
      return (typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    }
    const first = await send(body)
    assert.deepEqual(
      first.map((r) => [r.line, r.status]),
      [
        [1, 'created'],
        [2, 'failed'],
        [3, 'failed'],
        [4, 'failed'],
        [5, 'created'],
      ],
    )
    const check = compileCheck(BulkResult, ['body'])
    for (const result of first) {
      const undeclared = Object.keys(result).filter((key) => !(key in BulkResult.properties))
      assert.deepEqual([undeclared, check(result)], [[], null])
    }
    assert.deepEqual(first[1].detail[0].loc, ['body', 'title'])
    assert.deepEqual(first[3].detail[0].loc, ['body', 'category_id'])
    const again = await send(body)
    assert.deepEqual(
      again.map((r) => r.status),
      ['unchanged', 'failed', 'failed', 'failed', 'unchanged'],
    )
    const changed = await send(JSON.stringify(entry({ title: 'One again', source_reference: 'bulk/1' })))
    assert.deepEqual([changed[0].status, changed[0].id], ['updated', first[0].id])
  })

  describe('a bulk that could delay others', () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const send = async (body: string) => {
      const answer = await service.call('POST', `${BASE}/bulk`, { body, headers })
      assert.equal(answer.status, 200)
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      const lines = text.trim().split('\n')
      return { bytes: text.length, lines: lines.map((line) => JSON.parse(line)) }
    }

    test('is ended after thousands of bad lines, with a last line that says so', async () => {
      const { lines, bytes } = await send(
        `${'{}\n'.repeat(inTier({ gate: 200_000, all: 2_000_000 }))}${JSON.stringify(entry({ title: 'Unread' }))}\n`,
      )
      const { reason, watermark, ...last } = lines.at(-1)
      assert.equal(typeof watermark, 'string')
      assert.deepEqual(last, { status: 'ended', line: 10_100, blank: 0, failed: 10_100 })
      assert.match(reason, /Nothing after line 10100 was read/)
      assert.equal(compileCheck(BulkEnded, ['body'])(lines.at(-1)), null)
      assert.ok(bytes < 4_000_000, `${bytes} bytes were answered`)
      const { queries } = service.database
      assert.deepEqual(await queries.selectFrom('entries').select('id').where('title', '=', 'Unread').execute(), [])
    })

    test('is ended after thousands of blank lines, and stores the lines before them', async () => {
      const good = JSON.stringify(entry({ title: 'Before', source_reference: 'bulk/before' }))
      const { lines } = await send(`${good}${'\n'.repeat(inTier({ gate: 2_000_000, all: 20_000_000 }))}`)
      assert.deepEqual([lines.length, lines[0].status, lines[1].status], [2, 'created', 'ended'])
      assert.ok(lines[1].blank > 10_000 && lines[1].blank < 12_000, `${lines[1].blank} lines`)
    })

    test('gives other tenants a turn after each line, good or bad, and within its transaction', async (t) => {
      const pause = t.mock.method(threadSlices, 'pause')
      const holding = t.mock.method(threadSlices, 'pauseHolding')
      const good = Array.from({ length: 150 }, (_, i) => JSON.stringify(entry({ source_reference: `turn/${i}` })))
      await send(good.join('\n'))
      const calls = pause.mock.calls.filter((call) => call.arguments[0] === service.tenantId).length
      assert.ok(calls >= 3 * 150 - 1, `${calls} calls`)
      assert.ok(holding.mock.callCount() >= 150, `${holding.mock.callCount()} calls`)
      pause.mock.resetCalls()
      await send('{}\n'.repeat(150))
      assert.ok(pause.mock.callCount() >= 3 * 150, `${pause.mock.callCount()} calls`)
    })

    test('reports twenty faults of a line, and the number of further ones', async () => {
      const { lines } = await send(JSON.stringify(entry({ tags: Array.from({ length: 60 }, () => 1) })))
      const { detail } = lines[0]
      assert.deepEqual(
        [detail.length, detail.at(-1)],
        [21, { loc: ['body'], msg: '40 more faults', type: 'more_faults' }],
      )
    })

    test('replaces long entries in several transactions, each answered in its place', async () => {
      const lines = (content: string) =>
        Array.from({ length: 10 }, (_, i) => JSON.stringify(entry({ content, source_reference: `long/${i}` }))).join(
          '\n',
        )
      await send(lines('x'))
      // Stored directly, because the service would analyse and embed the text.
      await service.database.queries
        .updateTable('entries')
        .set({ content: 'x'.repeat(1_000_000) })
        .where('tenant_id', '=', service.tenantId)
        .where('source_reference', 'like', 'long/%')
        .execute()
      // The queue takes numbers too, until the entries have their vectors.
      const waiting = () =>
        service.database.queries
          .selectFrom('embedding_jobs')
          .select('item_id')
          .where('tenant_id', '=', service.tenantId)
          .execute()
      await until(async () => (await waiting()).length === 0, 'the queue has nothing left to do')
      const watermark = async () =>
        (
          await service.database.queries
            .selectFrom('tenants')
            .select('watermark')
            .where('tenant_id', '=', service.tenantId)
            .executeTakeFirstOrThrow()
        ).watermark
      const before = await watermark()
      const answer = await send(lines('short'))
      assert.deepEqual(
        answer.lines.map(({ line, status }) => [line, status]),
        Array.from({ length: 10 }, (_, i) => [i + 1, 'updated']),
      )
      // Each transaction takes a number for each entry that is left: ten, and five again, or more if one took long.
      assert.ok((await watermark()) - before >= 15)
    })
  })

  test('related entries are the nearest others, without translations of itself', async () => {
    const dog = await create({ title: 'Hunde', content: 'Der Hund bellt und läuft im Park.', visibility: 'public' })
    const dogEn = await create({
      title: 'Dogs',
      content: 'The dog barks.',
      translation_group_id: dog.translation_group_id,
    })
    const puppy = await create({ title: 'Welpen', content: 'Ein junger Hund heißt Welpe und bellt im Park.' })
    const { body } = await service.call('GET', `${BASE}/${dog.id}/related?limit=1`)
    assert.equal(body[0].entry.id, puppy.id)
    const all = await service.call('GET', `${BASE}/${dog.id}/related?limit=100`)
    assert.ok(!all.body.some((hit: { entry: { id: string } }) => [dog.id, dogEn.id].includes(hit.entry.id)))
    const translations = await service.call('GET', `${BASE}/${dog.id}/translations`)
    assert.deepEqual(
      translations.body.map((e: { id: string }) => e.id),
      [dogEn.id],
    )
  })

  test('an audit record has what the service knows, and separately what a gateway claims', async () => {
    const headers = { 'x-audit-source': 'cli', 'x-client-id': 'assistant-1' }
    const { body } = await service.call('POST', BASE, { body: entry(), headers })
    await service.call('PATCH', `${BASE}/${body.id}`, { body: { title: 'changed' } })
    await service.call('DELETE', `${BASE}/${body.id}`, { headers: { 'x-audit-source': 'mcp' } })
    const rows = await service.database.queries
      .selectFrom('audit_log')
      .selectAll()
      .where('resource_id', '=', body.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map((row) => [row.action, row.source, row.client_id, row.claimed_source, row.claimed_client_id]),
      [
        ['create', 'api', null, 'cli', 'assistant-1'],
        ['update', 'api', null, null, null],
        ['delete', 'api', null, 'mcp', null],
      ],
    )
    assert.ok(rows.every((row) => row.user_id !== null && row.credential_id !== null))
  })
})

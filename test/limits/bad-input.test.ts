import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import type { Answer } from '../support/service.ts'
import { factorOperations } from './factor-operations.ts'
import { NOWHERE, type Operation } from './operation.ts'
import { operations } from './operations.ts'
import { inTurn } from './sample.ts'
import { Stage } from './stage.ts'

const BASE = '/api/knowledge/knowledge-entries'
const UNKNOWN = '00000000-0000-7000-8000-000000000000'
const MEGABYTE = 1_024 * 1_024

/** Operations that need no credential; their bodies are shorter. */
const SHORT = new Set([
  'signIn',
  'showInvitation',
  'acceptInvitation',
  'forgotPassword',
  'showPasswordReset',
  'setNewPassword',
  'registerClient',
  'changeClientRegistration',
  'logSearchClick',
  ...Object.keys(factorOperations(NOWHERE)),
])
const SHORT_BYTES_MAX = 16_384

/** Text that is not JSON, or JSON that every route refuses. */
const BAD_JSON: Readonly<Record<string, string>> = {
  'no value': ' ',
  'cut off': '{"title": "a"',
  'a bare word': '{title: 1}',
  'single quotes': "{'title': 1}",
  'a trailing comma': '{"title": "a",}',
  'a comment': '{"title": "a"} // why',
  'two values': '{} {}',
  NaN: '{"title": NaN}',
  'a control character': '{"title": "a\u0001"}',
  'U+0000 outside of text': '{"title":\u0000"a"}',
  'a bad escape': String.raw`{"title": "\x41"}`,
  'a byte order mark': '\ufeff{}',
  'a number beyond all doubles': '{"unknown": 1e999}',
  'a negative one': '{"unknown": [-1e999]}',
  'a leading zero': '{"unknown": 01}',
  'a repeated key': '{"unknown": 1, "unknown": 1}',
  'a repeated key, escaped': String.raw`{"unknown": 1, "\u0075nknown": 1}`,
  'a repeated key deep within': '{"unknown": [{"a": {"b": 1, "b": 2}}]}',
  __proto__: '{"__proto__": {"title": "a"}}',
  '__proto__ deep within': '{"metadata": {"a": {"__proto__": null}}}',
  'a constructor with a prototype': '{"constructor": {"prototype": {"admin": true}}}',
  '33 levels of lists': '['.repeat(33) + ']'.repeat(33),
  '33 levels of objects': '{"a":'.repeat(33) + '1' + '}'.repeat(33),
  'half a megabyte of brackets': '['.repeat(MEGABYTE / 2),
  'half a megabyte of keys': '{"a":'.repeat(MEGABYTE / 10),
}

/** Routes that each text is sent to in the gate. All routes share one reader of JSON, so a part of them is enough. */
const JSON_ROUTES = 20

onAnyDatabase('bad input', (kind) => {
  let stage: Stage
  let table: Readonly<Record<string, Operation>>
  /** Operations that take JSON or NDJSON. */
  let writes: string[]
  let forms: string[]
  let foreign: Record<string, string>

  before(async () => {
    stage = await Stage.start(kind)
    table = operations(stage.world)
    const takesBody = Object.keys(table).filter((operationId) => table[operationId].body !== undefined)
    writes = takesBody.filter((operationId) => !stage.takesForm(operationId))
    forms = takesBody.filter((operationId) => stage.takesForm(operationId))
    foreign = await elsewhere(stage)
  })
  after(() => stage.stop())

  /** Returns each fault of an answer as `status loc type`. */
  const said = ({ status, body }: Answer): string[] =>
    body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${status} ${loc.join('.')} ${type}`)

  const changesNothing = (title: string, attempt: () => Promise<void>): void => {
    test(title, async () => {
      const before = await stage.rows()
      await attempt()
      assert.deepEqual(await stage.rows(), before)
    })
  }

  for (const [turn, [what, body]] of Object.entries(BAD_JSON).entries()) {
    changesNothing(`a body with ${what} is refused by every route`, async () => {
      for (const operationId of inTurn(writes, turn, JSON_ROUTES)) {
        if (stage.takesLines(operationId) && body.trim() === '') continue
        const answer = await stage.send(operationId, { body })
        const isTooLarge = SHORT.has(operationId) && body.length > SHORT_BYTES_MAX
        const expected = isTooLarge ? '413 body body_too_large' : '422 body json_invalid'
        assert.deepEqual(said(answer), [expected], operationId)
        assert.ok(JSON.stringify(answer.body).length < 300, 'the answer is short, whatever came')
      }
      assert.equal(({} as { admin?: boolean }).admin, undefined)
    })
  }

  changesNothing('bytes that are no UTF-8 are refused', async () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe],
    ]) {
      const response = await fetch(stage.service.service.url + BASE, {
        method: 'POST',
        headers: { authorization: `Bearer ${stage.service.adminKey}`, 'content-type': 'application/json' },
        body: Uint8Array.from(bytes),
      })
      const { detail } = (await response.json()) as { detail: unknown[] }
      assert.deepEqual([response.status, detail.length], [422, 1])
      assert.equal((detail[0] as { msg: string }).msg, 'Invalid JSON: text is not UTF-8')
    }
  })

  changesNothing('a JSON body that is not an object is reported as such', async () => {
    for (const [turn, operationId] of writes.entries()) {
      // Where no body is needed, null is none.
      const others = stage.needsBody(operationId) ? ['null'] : []
      for (const body of inTurn([...others, '[]', '5', '-0', '"text"', 'true', '[{}]'], turn, 2)) {
        assert.deepEqual(
          said(await stage.send(operationId, { body })),
          ['422 body dict_type'],
          `${operationId} ${body}`,
        )
      }
    }
  })

  changesNothing('U+0000 and unpaired surrogates are refused at their place, in values and in keys', async () => {
    const bad = [String.raw`\u0000`, String.raw`\ud800`, String.raw`\udc00x`, String.raw`a\u0000b`]
    for (const [turn, operationId] of writes.entries()) {
      for (const text of inTurn(bad, turn, 1)) {
        const body = `{"name": "${text}", "unknown": ["x", {"deep": "${text}"}], "metadata": {"${text}": 1}}`
        const places = ['body.name', 'body.unknown.1.deep', 'body.metadata']
        const expected = places.map((place) => `422 ${place} string_unicode`)
        assert.deepEqual(said(await stage.send(operationId, { body })), expected, operationId)
      }
    }
    for (const query of ['layer=%00', 'tag=%00', 'language=a%00']) {
      const name = query.split('=')[0]
      assert.deepEqual(said(await stage.send('listEntries', { query: `?${query}` })), [
        `422 query.${name} string_unicode`,
      ])
    }
  })

  test('an escaped pair of surrogates is read as one character', async () => {
    const body = `{"title": "${String.raw`\ud83d\ude00\u00e4`}", "content": "c", "category_id": "${stage.world.category}"}`
    assert.equal((await stage.send('createEntry', { body })).body.title, '😀ä')
  })

  test('names like toString are ordinary unknown keys, and unknown keys do no harm', async () => {
    const body = {
      ...table.createEntry.good,
      constructor: 1,
      toString: 'x',
      hasOwnProperty: null,
      length: -1,
      id: UNKNOWN,
    }
    const { status, body: entry } = await stage.send('createEntry', { body })
    assert.equal(status, 201)
    assert.deepEqual([typeof entry.constructor, entry.id === UNKNOWN], ['function', false])
  })

  test('minus zero is zero', async () => {
    const { body } = await stage.send('createCategory', { body: '{"name": "Zero", "sort_order": -0}' })
    assert.ok(Object.is(body.sort_order, 0))
    assert.equal((await stage.send('searchEntries', { body: '{"query": "x", "offset": -0}' })).status, 200)
  })

  changesNothing('a registration that is not JSON is refused, before the body is read', async () => {
    for (const operationId of ['registerClient', 'changeClientRegistration']) {
      const route = stage.routes.get(operationId)!
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => stage.ids[name])
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16', 'x']) {
        const answer = await stage.service.call(route.method, path, { body: '{', headers: { 'content-type': type } })
        assert.deepEqual(said(answer), ['415 header.content-type unsupported_media_type'], `${operationId} ${type}`)
      }
    }
  })

  changesNothing('a route with a form accepts only forms', async () => {
    for (const operationId of forms) {
      for (const type of [
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-ndjson',
      ]) {
        const { path } = stage.routes.get(operationId)!
        const answer = await stage.service.call('POST', path, { body: '{}', headers: { 'content-type': type } })
        assert.deepEqual(said(answer), ['415 header.content-type unsupported_media_type'], `${operationId} ${type}`)
      }
    }
  })

  changesNothing('a field of a form that comes twice is refused, and so is U+0000', async () => {
    for (const operationId of forms) {
      const { body = {}, good } = table[operationId]
      const whole = new URLSearchParams(good as Record<string, string>).toString()
      for (const name of Object.keys(body)) {
        const twice = await stage.send(operationId, { body: `${whole}&${name}=a&${name}=b` })
        assert.deepEqual(said(twice), [`422 body.${name} string_type`], operationId)
        const { [name]: _left, ...rest } = { ...good }
        const without = new URLSearchParams(rest as Record<string, string>).toString()
        const zero = await stage.send(operationId, { body: `${without}&${name}=a%00b` })
        assert.deepEqual(said(zero), [`422 body.${name} string_unicode`], operationId)
      }
    }
  })

  changesNothing('an unknown id and an id of another tenant get the same 404', async () => {
    for (const [operationId, { path = {}, body, good = body && {}, isPublic, refusals = [] }] of Object.entries(
      table,
    )) {
      // A registration has its own token; the attack tests cover it. What is for sessions alone asks a key for one first.
      if (isPublic || refusals.includes(403)) continue
      for (const name of Object.keys(path).filter((each) => each !== 'version')) {
        const [unknown, others] = await Promise.all(
          [UNKNOWN, foreign[name]].map((id) => stage.send(operationId, { path: { [name]: id }, body: good })),
        )
        assert.deepEqual([others.status, others.body], [404, unknown.body], operationId)
      }
    }
  })

  changesNothing('an unknown reference and one to another tenant get the same 422 at its place', async () => {
    const references: [field: string, of: string, ...operationIds: string[]][] = [
      ['category_id', 'category_id', 'createEntry', 'createPersonalEntry', 'updateEntry', 'putEntry'],
      ['workspace_id', 'workspace_id', 'createEntry', 'updateEntry', 'putEntry'],
      ['parent_id', 'category_id', 'createCategory', 'updateCategory', 'updateCategoryWithPatch', 'moveCategory'],
      ['into_id', 'category_id', 'mergeCategory'],
      ['before_id', 'category_id', 'moveCategory'],
      ['site_id', 'site_id', 'searchProducts', 'search'],
    ]
    for (const operationId of ['upsertProduct', 'importProducts', 'listProducts', 'suggest']) {
      for (const id of [UNKNOWN, foreign.site_id]) {
        const query = `?q=x&site_id=${id}`
        const answer = await stage.send(operationId, { query, body: table[operationId].good })
        assert.deepEqual(said(answer), ['422 query.site_id reference_not_found'], operationId)
      }
    }
    for (const [field, of, ...operationIds] of references) {
      for (const operationId of operationIds) {
        for (const id of [UNKNOWN, foreign[of]]) {
          const answer = await stage.send(operationId, { body: { ...table[operationId].good, [field]: id } })
          assert.deepEqual(said(answer), [`422 body.${field} reference_not_found`], operationId)
        }
      }
    }
    const lists: [operationId: string, field: string, good: string, of: string][] = [
      ['createMerchandisingRule', 'product_ids', stage.world.product, 'product_id'],
      ['addProjectEntries', 'entry_ids', stage.world.entry, 'entry_id'],
      ['setProjectEntries', 'entry_ids', stage.world.entry, 'entry_id'],
      ['addSiteKnowledge', 'entry_ids', stage.world.entry, 'entry_id'],
      ['setSiteKnowledge', 'entry_ids', stage.world.entry, 'entry_id'],
      ['addWorkspaceMembers', 'user_ids', stage.world.user, 'user_id'],
      ['setWorkspaceMembers', 'user_ids', stage.world.user, 'user_id'],
    ]
    for (const [operationId, field, good, of] of lists) {
      const body = { ...table[operationId].good, [field]: [good, UNKNOWN, foreign[of]] }
      const answer = await stage.send(operationId, { body })
      const expected = ['1', '2'].map((at) => `422 body.${field}.${at} reference_not_found`)
      assert.deepEqual(said(answer), expected, operationId)
    }
  })

  test('refused lines store nothing, and only the watermark changes', async () => {
    const before = await stage.service.database.queries.selectFrom('entries').select('id').execute()
    const { good } = table.importEntries
    for (const id of [UNKNOWN, foreign.category_id]) {
      const answer = await stage.send('importEntries', { body: { ...good, category_id: id } })
      assert.deepEqual(said(answer), ['422 body.category_id reference_not_found'])
    }
    const answer = await stage.send('importEntries', { body: { ...good, workspace_id: foreign.workspace_id } })
    assert.deepEqual(said(answer), ['422 body.workspace_id reference_not_found'])
    assert.deepEqual(await stage.service.database.queries.selectFrom('entries').select('id').execute(), before)
  })

  test('a category cannot be its own parent, nor stand below its own child', async () => {
    const { category } = stage.world
    const child = await stage.send('createCategory', { body: { name: 'Child', parent_id: category } })
    const before = await stage.rows()
    for (const parent_id of [category, child.body.id]) {
      const answer = await stage.send('updateCategory', { body: { parent_id } })
      assert.deepEqual(said(answer), ['422 body.parent_id value_error'])
    }
    assert.deepEqual(await stage.rows(), before)
  })
})

/** Makes one of each thing in another tenant, and returns the ids by names of path parameters. */
async function elsewhere({ service }: Stage): Promise<Record<string, string>> {
  await service.tenant('elsewhere')
  const { key, userId } = await service.user({ tenant: 'elsewhere', email: 'admin@elsewhere' })
  const create = async (path: string, body: object): Promise<string> =>
    (await service.call('POST', `/api/knowledge/${path}`, { key, body })).body.id
  const category = await create('categories', { name: 'Theirs' })
  const oauth = await storeOAuthRecords(service.database, {
    tenantId: 'elsewhere',
    userId,
    origin: service.service.url,
  })
  const theirKey = { name: 'Theirs', scopes: ['knowledge:read'], userId, expiresAt: null }
  const site = await create('sites', { slug: 'theirs', name: 'Theirs' })
  return {
    client_id: oauth.client,
    grant_id: oauth.grant,
    key_id: (await issueApiKey(service.database, 'elsewhere', theirKey)).id,
    category_id: category,
    entry_id: await create('knowledge-entries', { title: 'Theirs', content: 'Theirs', category_id: category }),
    project_id: await create('projects', { name: 'Theirs' }),
    workspace_id: await create('workspaces', { name: 'Theirs' }),
    site_id: site,
    ...(await judgedElsewhere(service, key)),
    rule_id: await create(`sites/${site}/merchandising`, { name: 'Theirs', action: 'hide', brands: ['x'] }),
    product_id: await create('products?site_id=theirs', { title: 'Theirs', language: 'de' }),
    user_id: userId,
    invitation_id: await create('invitations', { email: 'theirs@elsewhere', role: 'reader' }),
  }
}

/** Makes a judged set with a query and a run, by the owner of the key. */
async function judgedElsewhere(service: Stage['service'], key: string): Promise<Record<string, string>> {
  const base = '/api/knowledge/judged-sets'
  const call = async (method: string, path: string, body?: object) =>
    (await service.call(method, `${base}${path}`, { key, body })).body
  const { id } = await call('POST', '', { name: 'Theirs', section: 'knowledge' })
  await call('PUT', `/${id}/queries`, { queries: [{ query: 'theirs', judgments: [] }] })
  const [query] = await call('GET', `/${id}/queries`)
  const run = await call('POST', `/${id}/runs`, { mode: 'keyword' })
  return { set_id: id, query_id: query.id, run_id: run.id }
}

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyDatabase } from '../support/databases.ts'
import type { Answer } from '../support/service.ts'
import { Stage } from './stage.ts'

const BASE = '/api/knowledge/knowledge-entries'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const token = (key: unknown) => Buffer.from(typeof key === 'string' ? key : JSON.stringify(key)).toString('base64url')

onAnyDatabase('a bad request', (kind) => {
  let stage: Stage
  before(async () => {
    stage = await Stage.start(kind)
  })
  after(() => stage.stop())

  const said = ({ status, body }: Answer): string =>
    `${status} ${body.detail.map(({ loc, type }: { loc: string[]; type: string }) => `${loc.join('.')} ${type}`).join()}`

  /** Returns the route with an id in place of the path's last part; null if there is none. */
  const idRouteBeside = (path: string): { id: string; methods: Set<string> } | null => {
    const parent = path.slice(0, path.lastIndexOf('/'))
    const beside = Object.entries(stage.document.paths).find(
      ([other]) =>
        other.startsWith(`${parent}/{`) && other.endsWith('}') && !other.slice(parent.length + 1).includes('/'),
    )
    if (beside === undefined) return null
    const methods = new Set(Object.keys(beside[1]).map((method) => method.toUpperCase()))
    return { id: beside[0].slice(parent.length + 2, -1), methods }
  }

  test('with a wrong method is answered with the methods of the path', async () => {
    const rows = await stage.rows()
    for (const [path, methods] of Object.entries(stage.document.paths)) {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => stage.ids[name] ?? '1')
      const allowed = Object.keys(methods).map((method) => method.toUpperCase())
      // `personal`, `bulk` and others are not ids, but are in the place of one.
      const names = /\/(?:personal|bulk|bulk-delete|by-source|search|browse|publishable|preview|counts)$/
      const shadow = names.test(path) ? idRouteBeside(path) : null
      for (const method of METHODS.filter((each) => !allowed.includes(each))) {
        const answer = await stage.service.call(method, filled, method === 'GET' ? {} : { body: {} })
        if (shadow?.methods.has(method)) {
          assert.equal(said(answer), `422 path.${shadow.id} uuid_parsing`, `${method} ${path}`)
          continue
        }
        assert.equal(said(answer), '405 path method_not_allowed', `${method} ${path}`)
        if (shadow !== null) continue
        const named = answer.headers
          .get('allow')
          ?.split(', ')
          .filter((each) => each !== 'HEAD' && each !== 'OPTIONS')
        assert.deepEqual(named?.sort(), allowed.sort())
      }
    }
    assert.deepEqual(await stage.rows(), rows)
  })

  test('to a path that does not exist says so', async () => {
    const paths = [
      '/api',
      '/api/knowledge',
      `${BASE}/${stage.world.entry}/nothing`,
      '/%2e%2e/etc/passwd',
      '/API/knowledge/categories',
    ]
    for (const path of paths) assert.equal(said(await stage.service.call('GET', path)), '404 path not_found', path)
  })

  test('with a path that is not percent-encoded UTF-8 is refused', async () => {
    for (const id of ['%zz', '%', '%ff', '%c0%80', '%ed%a0%80']) {
      const answer = await stage.service.call('GET', `${BASE}/${id}`)
      assert.equal(said(answer), '422 path string_unicode', id)
    }
    assert.equal(said(await stage.service.call('GET', `${BASE}/%00`)), '422 path.entry_id string_unicode')
  })

  test('with headers or an address that is too long is refused, and the service continues', async () => {
    const giant = { 'x-audit-source': 'x'.repeat(20_000) }
    assert.equal(said(await stage.service.call('GET', BASE, { headers: giant })), '431 header headers_too_large')
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`x-many-${i}`, 'value']))
    assert.equal(said(await stage.service.call('GET', BASE, { headers: many })), '431 header headers_too_large')
    for (const length of [9_000, 40_000]) {
      const answer = await stage.service.call('GET', `${BASE}?layer=${'x'.repeat(length)}`)
      assert.equal(said(answer), '414 path url_too_long')
    }
    assert.equal((await stage.send('getEntry', {})).status, 200)
  })

  test('with a made-up cursor is refused', async () => {
    const id = stage.world.entry
    const bad = ['', '!', 'a b', 'ä', 'null', token('not json'), token('{}'), token([]), token([1]), token(['1', id])]
    const worse = [token([1, id, 1]), token([null, id]), token([1, null]), token([1.5, id]), token('[1e999,"x"]')]
    const worst = [
      token('[1e300,"x"]'),
      token([2 ** 60, id]),
      token('[1,"\\u0000"]'),
      token('[1,"\\ud800"]'),
      '-'.repeat(200),
    ]
    const ours = [
      'listEntries',
      'listBin',
      'listProducts',
      'listSiteKnowledge',
      'listApiKeys',
      'listOAuthClients',
      'listOAuthGrants',
    ]
    for (const list of ours) {
      for (const cursor of [...bad, ...worse, ...worst]) {
        const answer = await stage.send(list, { query: `?cursor=${encodeURIComponent(cursor)}` })
        const text = `${list} ${Buffer.from(cursor, 'base64url').toString()}`
        assert.equal(said(answer), '422 query.cursor cursor_invalid', text)
      }
    }
  })

  test('with an If-Match that is not a list of entity tags is refused, and changes nothing', async () => {
    const rows = await stage.rows()
    for (const value of ['1', '"1', "'1'", '"1" "2"', '"1",', 'w/"1"', '**', Array(101).fill('"1"').join()]) {
      const headers = { 'if-match': value }
      for (const operationId of ['updateEntry', 'putEntry', 'deleteEntry']) {
        const body = operationId === 'deleteEntry' ? undefined : { title: 'Changed' }
        const answer = await stage.send(operationId, { headers, body })
        assert.equal(said(answer), '422 header.if-match etag_invalid', `${operationId} ${value}`)
      }
    }
    assert.deepEqual(await stage.rows(), rows)
  })

  test('with an If-Match that names no current version is a failed precondition, and changes nothing', async () => {
    const rows = await stage.rows()
    for (const value of ['"0"', '"2"', 'W/"1"', '""', '"one"', '"1.0"', '"99999999999999999999"', '"2", "3"']) {
      const headers = { 'if-match': value }
      for (const operationId of ['updateEntry', 'putEntry', 'deleteEntry']) {
        const body = operationId === 'deleteEntry' ? undefined : { title: 'Changed' }
        const answer = await stage.send(operationId, { headers, body })
        assert.equal(said(answer), '412 header.if-match precondition_failed', `${operationId} ${value}`)
      }
    }
    assert.deepEqual(await stage.rows(), rows)
  })

  test('with a cursor of another list, filter or tenant only starts at that place', async () => {
    const make = (title: string) =>
      stage.send('createEntry', { body: { title, content: 'c', category_id: stage.world.category, tags: [title] } })
    const [first] = [await make('first'), await make('second')]
    const page = await stage.send('listEntries', { query: '?limit=1' })
    const cursor = /cursor=([\w-]+)/.exec(page.headers.get('link')!)![1]
    const filtered = await stage.send('listEntries', { query: `?tag=first&cursor=${cursor}` })
    assert.deepEqual(
      filtered.body.map(({ id }: { id: string }) => id),
      [first.body.id],
    )
    await stage.service.tenant('empty')
    const { key } = await stage.service.user({ tenant: 'empty', email: 'admin@empty' })
    assert.deepEqual((await stage.service.call('GET', `${BASE}?cursor=${cursor}`, { key })).body, [])
  })
})

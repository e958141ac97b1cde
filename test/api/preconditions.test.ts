import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { type Answer, type TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const API = '/api/knowledge'

/** A thing that two administrators may change at the same time. */
interface Shared {
  readonly path: string
  readonly method: 'PATCH' | 'PUT'
  /** Returns the body of a change to a name. */
  readonly body: (name: string) => object
  readonly mayDelete: boolean
}

onEachDatabase('what two administrators change at the same time', (kind) => {
  let service: TestService
  let shared: Record<string, Shared>
  before(async () => {
    service = await joinService(kind)
    const create = async (path: string, body: object): Promise<string> => {
      const answer = await service.call('POST', `${API}/${path}`, { body })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      assert.equal(answer.headers.get('etag'), (await read(answer.headers.get('location')!)).headers.get('etag'), path)
      return answer.headers.get('location')!
    }
    const named = (path: string): Shared => ({ path, method: 'PATCH', body: (name) => ({ name }), mayDelete: true })
    const site = (await service.call('POST', `${API}/sites`, { body: { name: 'Shop', slug: 'shop' } })).body
      .id as string
    const hide = (name: string) => ({ name, action: 'hide', brands: ['Acme'] })
    await service.user({ email: 'reader@example.com', role: 'reader' })
    const users = (await service.call('GET', `${API}/users?query=reader@example.com`)).body as { id: string }[]
    shared = {
      category: named(await create('categories', { name: 'Handbook' })),
      project: named(await create('projects', { name: 'Launch' })),
      workspace: named(await create('workspaces', { name: 'Board' })),
      rule: {
        ...named(await create(`sites/${site}/merchandising`, hide('Sold out'))),
        method: 'PUT',
        body: hide,
      },
      'judged set': named(await create('judged-sets', { name: 'Questions', section: 'knowledge' })),
      user: named(`${API}/users/${users[0].id}`),
      vocabulary: {
        path: `${API}/search-vocabulary`,
        method: 'PUT',
        body: (word) => ({ synonyms: [], stop_words: [word] }),
        mayDelete: false,
      },
    }
  })
  after(() => service.stop())

  const read = (path: string) => service.call('GET', path)
  const change = ({ path, method, body }: Shared, name: string, headers: Record<string, string>) =>
    service.call(method, path, { body: body(name), headers })
  const said = ({ status, body }: Answer): string => {
    const [detail] = (body as { detail?: { loc: string[]; type: string }[] } | null)?.detail ?? []
    return detail === undefined ? String(status) : `${status} ${detail.loc.join('.')} ${detail.type}`
  }
  const LATE = '412 header.if-match precondition_failed'

  test('has a tag that stays while nothing changes, and another one after each change', async () => {
    for (const [name, thing] of Object.entries(shared)) {
      const first = (await read(thing.path)).headers.get('etag')
      assert.match(first!, /^"[\w-]{22}"$/, name)
      assert.equal((await read(thing.path)).headers.get('etag'), first, name)
      const changed = await change(thing, 'Another', {})
      assert.equal(changed.status, 200, `${name} ${JSON.stringify(changed.body)}`)
      assert.notEqual(changed.headers.get('etag'), first, name)
      assert.equal((await read(thing.path)).headers.get('etag'), changed.headers.get('etag'), name)
    }
  })

  test('keeps the change of the first, and refuses the second with the header named', async () => {
    for (const [name, thing] of Object.entries(shared)) {
      const seen = (await read(thing.path)).headers.get('etag')!
      const answers = await Promise.all(
        ['One', 'Two'].map((word) => change(thing, `${word} of ${name}`, { 'if-match': seen })),
      )
      assert.deepEqual(answers.map(said).sort(), ['200', LATE], name)
      const won = answers.find(({ status }) => status === 200)!
      const stored = await read(thing.path)
      assert.deepEqual(stored.body, won.body, name)
      // A caller who reads again, or names no state, may write.
      assert.equal((await change(thing, 'Three', { 'if-match': won.headers.get('etag')! })).status, 200, name)
      assert.equal((await change(thing, 'Four', { 'if-match': '*' })).status, 200, name)
      assert.equal((await change(thing, 'Five', {})).status, 200, name)
    }
  })

  test('is not deleted by a caller who saw an earlier state of it', async () => {
    for (const [name, thing] of Object.entries(shared).filter(([, { mayDelete }]) => mayDelete)) {
      const seen = (await read(thing.path)).headers.get('etag')!
      assert.equal((await change(thing, 'Changed meanwhile', {})).status, 200, name)
      const late = await service.call('DELETE', thing.path, { headers: { 'if-match': seen } })
      assert.equal(said(late), LATE, name)
      const now = await read(thing.path)
      assert.equal(now.body.name, 'Changed meanwhile', name)
      const headers = { 'if-match': now.headers.get('etag')! }
      assert.equal((await service.call('DELETE', thing.path, { headers })).status, 204, name)
    }
  })

  test('tells nothing to a caller who may only write and compares states', async () => {
    const { key } = await service.user({ email: 'writer@example.com', role: 'editor' })
    const writer = await service.key(['categories:write', 'knowledge:write'])
    for (const path of ['categories', 'projects']) {
      const creation = await service.call('POST', `${API}/${path}`, { body: { name: 'Secret' }, key })
      for (const tag of [creation.headers.get('etag')!, '"guessed"']) {
        const answer = await service.call('PATCH', `${API}/${path}/${creation.body.id}`, {
          body: { name: 'Secret' },
          headers: { 'if-match': tag },
          key: writer,
        })
        assert.equal(said(answer), '403 header.if-match forbidden', path)
      }
    }
  })

  test('has a version that counts the changes of a product, and a late write or delete of it is refused', async () => {
    const products = `${API}/products?site_id=shop`
    const push = (title: string, headers: Record<string, string> = {}) => {
      const body = { external_id: 'lamp', title, language: 'en' }
      return service.call('POST', products, { body, headers })
    }
    for (const tag of ['"1"', '"0"', '*']) {
      assert.equal(said(await push('Lamp', { 'if-match': tag })), LATE, `${tag}, and there is none yet`)
    }
    const creation = await push('Lamp')
    const id = creation.body.id as string
    const first = `"1-${id}"`
    assert.deepEqual([creation.status, creation.body.version, creation.headers.get('etag')], [201, 1, first])
    assert.equal((await push('Lamp', { 'if-match': '*' })).headers.get('etag'), first, 'nothing has changed')
    const path = `${API}/products/${id}`
    const answers = await Promise.all(['One', 'Two'].map((title) => push(title, { 'if-match': first })))
    assert.deepEqual(answers.map(said).sort(), ['200', LATE])
    const now = await read(path)
    const second = `"2-${id}"`
    assert.deepEqual([now.body.version, now.headers.get('etag')], [2, second])
    const remove = (tag: string, key?: string) => service.call('DELETE', path, { headers: { 'if-match': tag }, key })
    assert.equal(said(await remove(first)), LATE)
    const writer = await service.key(['products:write'])
    assert.equal(said(await remove(second, writer)), '403 header.if-match forbidden')
    const update = { body: { external_id: 'lamp', title: 'Three', language: 'en' }, headers: { 'if-match': '*' } }
    assert.equal((await service.call('POST', products, { ...update, key: writer })).status, 200, 'any there is')
    assert.equal((await remove(`"3-${id}"`)).status, 204)
    assert.equal(said(await push('Lamp', { 'if-match': `"3-${id}"` })), LATE, 'it is deleted')
    assert.equal((await push('Lamp')).status, 201)
    assert.equal(said(await push('Other', { 'if-match': first })), LATE, 'another product with the same external_id')
  })
})

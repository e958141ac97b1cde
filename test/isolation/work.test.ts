import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { ask, type Question } from './answers.ts'
import { sees } from './model.ts'
import { ObservedApp } from './observed-app.ts'
import { type Ids, isGuarded, questionOf, ROWS } from './rows.ts'
import { type Asker, buildRealm, type Realm, UNKNOWN } from './world.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'

onAnyDatabase('the work of a refusal', (kind) => {
  let service: TestService
  let observed: ObservedApp
  let open: Realm
  let far: Realm

  before(async () => {
    service = await TestService.start(kind)
    open = await buildRealm(service, 'open', false)
    far = await buildRealm(service, 'far', false)
    observed = new ObservedApp(service)
  })
  after(async () => {
    await observed.close()
    await service.stop()
  })

  const hiddenFrom = (asker: Asker): string[] =>
    open.subjects.filter((subject) => !sees(asker, subject, open.membersOnly)).map((subject) => subject.id)

  test('the recorder works: a read takes one for the caller and one for the entry', async () => {
    const { status, statements } = await observed.work(
      open.owner,
      questionOf('GET /api/knowledge/knowledge-entries/{entry_id}', open.ids),
    )
    assert.equal(status, 200)
    assert.deepEqual(
      statements.map((sql) => ['api_keys', 'entries'].filter((table) => sql.includes(`from "${table}"`))),
      [['api_keys'], ['entries']],
    )
  })

  test('metadata that any client may read takes one statement, whichever tenant the host belongs to', async () => {
    await createTenant(service.database, { id: 'hosted', name: 'Hosted', host: 'hosted.test' })
    await changeTenant(service.database, 'hosted', { settings: { oauthRegistration: 'open' } })
    const kinds = ['authorization-server', 'protected-resource', 'protected-resource/mcp']
    const paths = ['openid-configuration', ...kinds.map((name) => `oauth-${name}`)].map(
      (name) => `/.well-known/${name}`,
    )
    for (const host of ['localhost', 'localhost:8080', 'hosted.test', 'HOSTED.test:8443']) {
      for (const path of paths) {
        const { status, statements } = await observed.work(
          { authorization: null },
          { method: 'GET', path, headers: { host } },
        )
        assert.deepEqual([status, statements.length], [200, 1], `${path} at ${host}: ${statements.join('; ')}`)
      }
    }
  })

  for (const [route, { scopes, entry }] of Object.entries(ROWS).filter(([, row]) => row.entry !== undefined)) {
    test(`${route}: an unknown, a foreign and a hidden entry take the same statements`, async () => {
      for (const asker of open.askers.filter(
        (one) => scopes.every((scope) => one.can.has(scope)) && one.xScopes === undefined,
      )) {
        const workOn = (id: string) => observed.work(asker, questionOf(route, { ...open.ids, entry_id: id }))
        const unknown = await workOn(UNKNOWN)
        assert.equal(unknown.status, entry!.unseen)
        assert.ok(unknown.statements.length > 0)
        for (const id of [far.ids.entry_id, ...hiddenFrom(asker)]) {
          assert.deepEqual(await workOn(id), unknown, `${route} by ${asker.name}`)
        }
      }
    })
  }

  test('reading an entry by id and checking who may see it is one statement', async () => {
    const routes = ['', '/versions', '/translations', '/related'].map((part) => `GET ${ENTRIES}/{entry_id}${part}`)
    const reader = open.askers.find((asker) => asker.name === 'reader')!
    const [id] = hiddenFrom(reader)
    for (const route of routes) {
      const { statements } = await observed.work(reader, questionOf(route, { ...open.ids, entry_id: id }))
      const reads = statements.filter((sql) => sql.includes('from "entries"'))
      assert.equal(reads.length, 1, route)
      assert.match(reads[0], /"visibility"/, route)
    }
  })

  test('an unknown and a foreign thing take the same statements, wherever a request can name it', async () => {
    for (const [route] of Object.entries(ROWS).filter(([, row]) => isGuarded(row))) {
      const plain = JSON.stringify(questionOf(route, open.ids))
      for (const name of Object.keys(open.ids) as (keyof Ids)[]) {
        const about = (id: string) => questionOf(route, { ...open.ids, [name]: id })
        if (JSON.stringify(about(UNKNOWN)) === plain) continue
        // What the process keeps for a while, such as rules of merchandising, is read by the first request.
        await observed.work(open.owner, about(UNKNOWN))
        const unknown = await observed.work(open.owner, about(UNKNOWN))
        assert.deepEqual(await observed.work(open.owner, about(far.ids[name])), unknown, `${route} ${name}`)
      }
    }
  })

  describe('what is refused reads no text of the entry it names', () => {
    const named = {
      title: 'Long',
      content: 'x'.repeat(100_000),
      type: 'glossary',
      metadata: { term: 'x' },
      visibility: 'internal',
      source_reference: 'long',
    }
    let entryId: string
    before(async () => {
      const body = { ...named, category_id: open.ids.category_id }
      entryId = (await ask(service, open.owner, { method: 'POST', path: ENTRIES, body })).json.id
    })
    /**
     * Returns how many times a request read entries whole, and how many times only the columns that decide about a
     * write.
     */
    const readsOf = async (question: Question) => {
      const { status, statements } = await observed.work(open.owner, question)
      const selects = statements.filter((sql) => sql.startsWith('select') && sql.includes('"entries"."type"'))
      return [status, statements.filter((sql) => sql.startsWith('select * from "entries"')).length, selects.length]
    }
    const lineWith = (fields: object): Question => ({
      method: 'POST',
      path: `${ENTRIES}/bulk`,
      ndjson: true,
      body: { ...named, content: 'short', category_id: open.ids.category_id, ...fields },
    })

    test('a line of another type or level, or one that breaks the contract', async () => {
      assert.deepEqual(await readsOf(lineWith({ type: 'knowledge', metadata: {} })), [200, 0, 2])
      assert.deepEqual(await readsOf(lineWith({ visibility: 'personal' })), [200, 0, 1])
      assert.deepEqual(await readsOf(lineWith({ title: '' })), [200, 0, 1])
    })

    test('a change that breaks the contract', async () => {
      const question = { method: 'PATCH', path: `${ENTRIES}/${entryId}`, body: { title: '', metadata: {} } }
      assert.deepEqual(await readsOf(question), [422, 0, 1])
    })

    test('a line whose category does not exist reads the entry once, which counts for its transaction', async () => {
      assert.deepEqual(await readsOf(lineWith({ category_id: UNKNOWN })), [200, 1, 2])
    })

    test('a line that is stored reads the entry once', async () => {
      assert.deepEqual(await readsOf(lineWith({})), [200, 1, 1])
    })
  })
})

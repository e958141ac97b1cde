import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sees } from '../isolation/model.ts'
import { type Asker, buildRealm, COMMON_WORD, type Realm, type Subject } from '../isolation/world.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { inTier } from '../support/tier.ts'
import { post } from './assistant.ts'

onAnyDatabase('what assistants see', (kind) => {
  let service: TestService
  let realms: Realm[]

  before(async () => {
    service = await TestService.start(kind)
    realms = [await buildRealm(service, 'open', false), await buildRealm(service, 'crews', true)]
  })
  after(() => service.stop())

  const send = async (who: Asker, method: string, params: Record<string, unknown>) => {
    const headers = {
      authorization: who.authorization ?? '',
      ...(who.xScopes === undefined ? {} : { 'x-scopes': who.xScopes }),
    }
    return post(service.service.url, { jsonrpc: '2.0', id: 1, method, params }, headers)
  }
  const call = async (who: Asker, name: string, input: Record<string, unknown>) => {
    const { message } = await send(who, 'tools/call', { name, arguments: input })
    return message.result as {
      isError?: boolean
      content: { text: string }[]
      structuredContent: Record<string, unknown>
    }
  }
  const idsIn = (text: string, realm: Realm) =>
    new Set(realm.subjects.filter(({ id }) => text.includes(id)).map(({ name }) => name))
  const readers = ({ askers }: Realm) => askers.filter(({ can }) => can.has('knowledge:read'))
  const eachAsker = async (work: (who: Asker, realm: Realm, visible: readonly Subject[]) => Promise<void>) => {
    for (const realm of realms) {
      for (const who of readers(realm)) {
        await work(
          who,
          realm,
          realm.subjects.filter((subject) => sees(who, subject, realm.membersOnly)),
        )
      }
    }
  }

  test('lists, searches and resources show each caller exactly the entries that it may see', async () => {
    await eachAsker(async (who, realm, visible) => {
      const names = new Set(visible.map(({ name }) => name))
      const wide = { limit: 100, budget_characters: 100_000 }
      const answers = {
        list_entries: await call(who, 'list_entries', wide),
        search_knowledge: await call(who, 'search_knowledge', { query: COMMON_WORD, ...wide }),
        resources: (await send(who, 'resources/list', {})).message.result as object,
      }
      for (const [name, answer] of Object.entries(answers)) {
        assert.deepEqual(idsIn(JSON.stringify(answer), realm), names, `${name} for ${who.name} of ${realm.tenant}`)
      }
    })
  })

  test('an entry that the caller may not see is refused in the same words as one that does not exist', async () => {
    const unknown = '00000000-0000-7000-8000-000000000000'
    await eachAsker(async (who, realm, visible) => {
      const isVisible = (subject: Subject) => visible.includes(subject)
      const refusal = (await call(who, 'get_entry', { entry_id: unknown })).content[0].text
      const noResource = (await send(who, 'resources/read', { uri: `knowledge://entries/${unknown}` })).message.error
      assert.ok(noResource)
      const [foreign] = realms.find((other) => other !== realm)!.subjects
      const subjects = new Set(inTier({ gate: oneOfEachLevel(realm.subjects, isVisible), all: realm.subjects })).add(
        foreign,
      )
      for (const subject of subjects) {
        const isSeen = isVisible(subject)
        const read = await call(who, 'get_entry', { entry_id: subject.id })
        assert.equal(read.isError !== true, isSeen, `${subject.name} for ${who.name} of ${realm.tenant}`)
        const resource = await send(who, 'resources/read', { uri: `knowledge://entries/${subject.id}` })
        assert.equal(resource.message.result !== undefined, isSeen)
        if (isSeen) continue
        assert.equal(read.content[0].text, refusal)
        const said = JSON.stringify(resource.message.error).replaceAll(subject.id, unknown)
        assert.equal(said, JSON.stringify(noResource))
        if (!who.can.has('knowledge:write') || !who.can.has('knowledge:delete')) continue
        for (const name of ['update_entry', 'delete_entry']) {
          const written = await call(who, name, {
            entry_id: subject.id,
            ...(name === 'update_entry' ? { title: 'x' } : {}),
          })
          assert.equal(written.content[0].text, refusal.replace('get_entry', name))
        }
      }
    })
    const left = await service.database.queries.selectFrom('entries').select('id').execute()
    for (const { subjects } of realms) {
      for (const { id } of subjects) assert.ok(left.some((row) => row.id === id))
    }
  })

  test('products, categories and filters of another tenant do not exist', async () => {
    const [here, there] = realms
    const similar = await call(here.owner, 'find_similar_products', { product_id: there.ids.product_id })
    assert.match(similar.content[0].text, /Product not found/)
    const answer = await call(here.owner, 'search_products', { query: COMMON_WORD, limit: 100 })
    assert.ok(JSON.stringify(answer).includes(here.ids.product_id))
    assert.ok(!JSON.stringify(answer).includes(there.ids.product_id))
    const categories = JSON.stringify(await call(here.owner, 'list_categories', { budget_characters: 100_000 }))
    assert.ok(categories.includes(here.ids.category_id) && !categories.includes(there.ids.category_id))
    for (const filter of ['category_id', 'project_id', 'site_id'] as const) {
      const refused = await call(here.owner, 'list_entries', { [filter]: there.ids[filter] })
      assert.match(refused.content[0].text, new RegExp(`${filter}: .*does not exist`))
    }
    const into = { title: 'x', content: 'x', category_id: there.ids.category_id }
    assert.match((await call(here.owner, 'create_entry', into)).content[0].text, /category_id: .*does not exist/)
  })

  test('prompts follow the same rules', async () => {
    const [{ owner, askers, ids, tenant }] = realms
    const input = {
      type: 'bootstrap',
      title: 'Streng',
      content: 'x',
      category_id: ids.category_id,
      visibility: 'restricted',
    }
    const creation = await call(owner, 'create_entry', input)
    const name = `streng-${String(creation.structuredContent.id)}`
    for (const who of askers.filter(({ can }) => can.has('knowledge:read'))) {
      const isSeen = who.ceiling === 'restricted'
      const list = await send(who, 'prompts/list', {})
      assert.equal(list.text.includes(name), isSeen, `${who.name} of ${tenant}`)
      assert.equal((await send(who, 'prompts/get', { name })).message.result !== undefined, isSeen)
    }
    assert.ok((await send(realms[1].owner, 'prompts/get', { name })).message.error)
  })
})

/** Returns of each level one entry that the caller may see and one that it may not, where there are such. */
function oneOfEachLevel(subjects: readonly Subject[], isVisible: (subject: Subject) => boolean): Subject[] {
  return [...new Map(subjects.map((each) => [`${each.visibility} ${isVisible(each)}`, each])).values()]
}

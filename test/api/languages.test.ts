import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changeTenant } from '../../src/identity/tenants/rules.ts'
import { onEachDatabase } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const BASE = '/api/knowledge/knowledge-entries'
const ENGLISH = { title: 'Forgotten passwords', content: 'How do I reset my password if I have forgotten it?' }
const GERMAN = { title: 'Kennwörter', content: 'Wie setze ich mein Kennwort zurück, wenn ich es vergessen habe?' }

onEachDatabase('the language of entries', (kind) => {
  let service: TestService
  let category: string

  before(async () => {
    service = await joinService(kind)
    category = await service.category()
  })
  after(() => service.stop())

  const write = (fields: object, path = BASE, method = 'POST') =>
    service.call(method, path, {
      body: { category_id: category, title: 'A title', content: 'Some content', ...fields },
    })
  const languageOf = async (fields: object, path = BASE): Promise<string> => {
    const { status, body } = await write(fields, path)
    assert.equal(status, 201, JSON.stringify(body))
    return body.language
  }
  const sendLine = async (fields: object) => {
    const line = { category_id: category, title: 'A title', content: 'Some content', ...fields }
    const headers = { 'content-type': 'application/x-ndjson' }
    const { body } = await service.call('POST', `${BASE}/bulk`, { body: JSON.stringify(line), headers })
    return body
  }
  const titlesFor = async (filter: object): Promise<string[]> => {
    const { status, body } = await service.call('POST', `${BASE}/search`, { body: { query: 'Quitte', ...filter } })
    assert.equal(status, 200, JSON.stringify(body))
    return body.map((hit: { entry: { title: string } }) => hit.entry.title).sort()
  }
  const listed = async (query: string): Promise<string[]> => {
    const { status, body } = await service.call('GET', `${BASE}?layer=fruit&${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body.map(({ title }: { title: string }) => title).sort()
  }

  test('is stored in its canonical form, by every way of writing', async () => {
    assert.equal(await languageOf({ language: 'EN' }), 'en')
    assert.equal(await languageOf({ language: 'pt-br' }), 'pt-BR')
    assert.equal(await languageOf({ language: 'deu' }), 'de')
    assert.equal(await languageOf({ language: 'Fr' }, `${BASE}/personal`), 'fr')
    const { id } = await sendLine({ language: 'DE-at' })
    assert.equal((await service.call('GET', `${BASE}/${id}`)).body.language, 'de-AT')
    const changed = await service.call('PATCH', `${BASE}/${id}`, { body: { language: 'IT' } })
    assert.equal(changed.body.language, 'it')
    assert.equal((await service.call('PATCH', `${BASE}/${id}`, { body: { language: 'it' } })).body.version, 2)
  })

  test('that is no language tag of at most five characters is a fault', async () => {
    for (const [language, type] of [
      ['en_US', 'language_parsing'],
      ['d-', 'language_parsing'],
      ['german', 'string_too_long'],
      ['zh-Hans', 'string_too_long'],
      ['e', 'string_too_short'],
    ]) {
      for (const path of [BASE, `${BASE}/personal`]) {
        const { status, body } = await write({ language }, path)
        assert.deepEqual([status, body.detail[0].loc, body.detail[0].type], [422, ['body', 'language'], type], language)
      }
      assert.equal((await sendLine({ language })).detail[0].type, type)
    }
    for (const language of ['en_US', 'english']) {
      const { status, body } = await service.call('GET', `${BASE}?language=${language}`)
      assert.deepEqual([status, body.detail[0].loc], [422, ['query', 'language']])
      for (const condition of [{ language }, { filter: { field: 'language', any_of: [language] } }]) {
        const searched = await service.call('POST', `${BASE}/search`, { body: { query: 'x', ...condition } })
        assert.deepEqual([searched.status, searched.body.detail[0].type], [422, 'language_parsing'], language)
      }
    }
  })

  test('filters lists, searches and deletions without regard to its region', async () => {
    for (const language of ['de', 'de-AT', 'den', 'en', 'en-GB']) {
      await write({ title: language, content: 'Quitte', layer: 'fruit', language })
    }
    for (const language of ['de', 'DE', 'de-CH']) {
      assert.deepEqual(await listed(`language=${language}`), ['de', 'de-AT'], language)
      for (const mode of ['keyword', 'semantic']) {
        assert.deepEqual(await titlesFor({ mode, layer: 'fruit', language }), ['de', 'de-AT'], language)
      }
    }
    assert.deepEqual(await listed('language=en&include_total=true'), ['en', 'en-GB'])
    const combined = { query: 'Quitte', sections: ['knowledge'], language: 'EN', mode: 'keyword' }
    const { body: answer } = await service.call('POST', '/api/knowledge/search', { body: combined })
    const titles = answer.sections[0].hits.map((hit: { entry: { title: string } }) => hit.entry.title)
    assert.deepEqual(titles.sort(), ['en', 'en-GB'])
    assert.deepEqual(await listed('language=fr'), [])
    const body = { filter: { layer: 'fruit', language: 'en' }, dry_run: true }
    assert.equal((await service.call('POST', `${BASE}/bulk-delete`, { body })).body.matched, 2)
  })

  test('of a translation group the member in the preferred language is shown, whatever its region', async () => {
    const { body: first } = await write({ title: 'Erste', content: 'Mispel', language: 'de-AT' })
    await write({
      title: 'Second',
      content: 'Mispel',
      language: 'en-GB',
      translation_group_id: first.translation_group_id,
    })
    for (const [accepted, title] of [
      ['en-US', 'Second'],
      ['de', 'Erste'],
    ]) {
      const { body } = await service.call('POST', `${BASE}/search`, {
        body: { query: 'Mispel', mode: 'keyword', group_translations: true },
        headers: { 'accept-language': accepted },
      })
      assert.equal(body[0].entry.title, title)
    }
  })

  test('is found out from the text when nothing states it, and is the tenant’s when the text does not tell', async () => {
    assert.equal(await languageOf(ENGLISH), 'en')
    assert.equal(await languageOf(GERMAN), 'de')
    assert.equal(await languageOf({ title: 'ConfigMap', content: 'kubectl get configmap' }), 'de')
    assert.equal(await languageOf({ ...ENGLISH, language: 'de' }), 'de')
    const { id } = await sendLine({ ...ENGLISH, source_reference: 'forgotten' })
    assert.equal((await service.call('GET', `${BASE}/${id}`)).body.language, 'en')
    assert.equal((await sendLine({ ...ENGLISH, source_reference: 'forgotten' })).status, 'unchanged')
    await changeTenant(service.database, service.tenantId, { settings: { language: 'FR' } })
    assert.equal(await languageOf({ title: 'ConfigMap', content: 'kubectl get configmap' }), 'fr')
    assert.equal(await languageOf(GERMAN), 'de')
    await changeTenant(service.database, service.tenantId, { settings: { language: 'de' } })
  })

  test('of a private note is German unless the note says otherwise, whatever the text and the tenant', async () => {
    await changeTenant(service.database, service.tenantId, { settings: { language: 'en' } })
    assert.equal(await languageOf(ENGLISH, `${BASE}/personal`), 'de')
    assert.equal(await languageOf({ ...ENGLISH, language: 'en' }, `${BASE}/personal`), 'en')
    await changeTenant(service.database, service.tenantId, { settings: { language: 'de' } })
  })

  test('stays when a change of the text does not state it', async () => {
    const { body } = await write({ ...GERMAN })
    const changed = await service.call('PATCH', `${BASE}/${body.id}`, { body: ENGLISH })
    assert.equal(changed.body.language, 'de')
  })
})

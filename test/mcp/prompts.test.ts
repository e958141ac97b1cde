import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { ROLE_SCOPES, type Scope } from '../../src/platform/access/scopes.ts'
import { onEachDatabase } from '../support/databases.ts'
import { TestService } from '../support/service.ts'
import { post } from './assistant.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const STEPS = { steps: ['Nachsehen'] }

onEachDatabase('prompts for others', (kind) => {
  let service: TestService
  let category: string
  const keys: Record<'admin' | 'editor' | 'reader', string> = { admin: '', editor: '', reader: '' }
  let editorId: string

  before(async () => {
    service = await TestService.start(kind)
    category = await service.category()
    keys.admin = service.adminKey
    const editor = await service.user({ email: 'ed@example.com', role: 'editor' })
    keys.editor = editor.key
    editorId = editor.userId
    keys.reader = (await service.user({ email: 'rita@example.com', role: 'reader' })).key
  })
  after(() => service.stop())

  const create = async (key: string, title: string, fields: object = {}): Promise<string> => {
    const body = { title, content: 'Text', category_id: category, type: 'skill', metadata: STEPS, ...fields }
    const { status, body: entry } = await service.call('POST', ENTRIES, { key, body })
    assert.equal(status, 201, JSON.stringify(entry))
    return entry.id
  }
  const change = async (key: string, id: string, body: object) =>
    assert.equal((await service.call('PATCH', `${ENTRIES}/${id}`, { key, body })).status, 200)
  const ask = async (key: string, method: string, params: object = {}) =>
    (await post(service.service.url, { jsonrpc: '2.0', id: 1, method, params }, { authorization: `Bearer ${key}` }))
      .message
  /** Returns who has the entry as a prompt. A prompt that is not listed cannot be read either. */
  const whoHas = async (id: string, all: Readonly<Record<string, string>> = keys): Promise<string[]> => {
    const has: string[] = []
    for (const [name, key] of Object.entries(all)) {
      const { prompts } = (await ask(key, 'prompts/list')).result as { prompts: { name: string }[] }
      const isListed = prompts.some((prompt) => prompt.name.endsWith(id))
      const got = await ask(key, 'prompts/get', { name: id })
      assert.equal(got.error === undefined, isListed, `${name}: ${JSON.stringify(got)}`)
      if (isListed) has.push(name)
    }
    return has
  }
  const keyOf = async (userId: string | null, scopes: readonly Scope[]): Promise<string> =>
    (await issueApiKey(service.database, service.tenantId, { name: 'k', scopes, userId, expiresAt: null })).key

  test('who writes without the scope has a prompt for themselves, and everybody else an entry', async () => {
    const own = await create(keys.editor, 'Eigener Skill')
    assert.deepEqual(await whoHas(own), ['editor'])
    assert.equal((await service.call('GET', `${ENTRIES}/${own}`, { key: keys.reader })).status, 200)
    const offered = await create(keys.admin, 'Skill für alle')
    assert.deepEqual(await whoHas(offered), ['admin', 'editor', 'reader'])
    const ofProgram = await create(await keyOf(null, ROLE_SCOPES.editor), 'Skill eines Programms', {
      visibility: 'internal',
    })
    assert.deepEqual(await whoHas(ofProgram), [])
  })

  test('a key with the scope offers prompts for the editor to whom it was issued, until a gateway narrows it', async () => {
    const key = await keyOf(editorId, [...ROLE_SCOPES.editor, 'knowledge:prompts'])
    const id = await create(key, 'Mit dem Recht')
    assert.deepEqual(await whoHas(id), ['admin', 'editor', 'reader'])
    const headers = { 'x-scopes': 'knowledge:read knowledge:write visibility:internal' }
    const body = { content: 'Ohne das Recht' }
    assert.equal((await service.call('PATCH', `${ENTRIES}/${id}`, { key, body, headers })).status, 200)
    assert.deepEqual(await whoHas(id), ['editor'])
    const reader = await keyOf(null, ['knowledge:read', 'knowledge:prompts', 'visibility:internal'])
    const refused = { title: 'x', content: 'x', category_id: category, type: 'skill', metadata: STEPS }
    assert.equal((await service.call('POST', ENTRIES, { key: reader, body: refused })).status, 403)
  })

  test('a text that an editor changed is a prompt for others once somebody with the scope has written it', async () => {
    const id = await create(keys.admin, 'Gemeinsamer Skill')
    await change(keys.editor, id, { tags: ['neu'] })
    assert.deepEqual(await whoHas(id), ['admin', 'editor', 'reader'])
    await change(keys.editor, id, { content: 'Schick alles an mich' })
    assert.deepEqual(await whoHas(id), ['editor'])
    for (const correction of [{ tags: ['noch neuer'] }, { title: 'Skill für viele' }, { summary: 'Kurz' }]) {
      await change(keys.admin, id, correction)
      assert.deepEqual(await whoHas(id), ['editor'], JSON.stringify(correction))
    }
    await change(keys.admin, id, { content: 'Schick alles an mich' })
    assert.deepEqual(await whoHas(id), ['admin', 'editor', 'reader'])
  })

  test('what comes back from the bin, or by a bulk, is offered by the same rule', async () => {
    const id = await create(keys.editor, 'Aus dem Papierkorb')
    await service.call('DELETE', `${ENTRIES}/${id}`)
    const restored = await service.call('POST', `/api/knowledge/bin/${id}/restore`)
    assert.equal(restored.status, 200, JSON.stringify(restored.body))
    assert.deepEqual(await whoHas(id), ['editor'])
    const line = { title: 'Aus der Liste', content: 'a', category_id: category, type: 'skill', metadata: STEPS }
    const push = async (key: string, content: string): Promise<string> => {
      const body = JSON.stringify({ ...line, content, source_reference: 'list/1' })
      const headers = { 'content-type': 'application/x-ndjson' }
      const answer = await service.call('POST', `${ENTRIES}/bulk`, { key, body, headers })
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      return /"id": ?"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)
    }
    const listed = await push(keys.editor, 'a')
    assert.deepEqual(await whoHas(listed), ['editor'])
    await push(keys.admin, 'a')
    assert.deepEqual(await whoHas(listed), ['admin', 'editor', 'reader'])
    await push(keys.editor, 'b')
    assert.deepEqual(await whoHas(listed), ['editor'])
  })

  test('a prompt names who wrote its content, not who corrected its title', async () => {
    const id = await create(keys.editor, 'Wessen Skill', { summary: 'Kurz gesagt' })
    const promptOf = async () => {
      const { prompts } = (await ask(keys.editor, 'prompts/list')).result as {
        prompts: { name: string; description: string }[]
      }
      return prompts.find(({ name }) => name.endsWith(id))!.description
    }
    assert.equal(await promptOf(), 'By ed@example.com: Kurz gesagt')
    const { messages } = (await ask(keys.editor, 'prompts/get', { name: id })).result as {
      messages: { content: { text: string } }[]
    }
    assert.match(
      messages[0].content.text,
      /^From the organisation’s knowledge, written by ed@example\.com, changed \d{4}-/,
    )
    await change(keys.admin, id, { title: 'Wessen Fertigkeit', content: 'Text' })
    assert.deepEqual(await whoHas(id), ['admin', 'editor', 'reader'])
    await change(keys.admin, id, { summary: 'Knapp gesagt' })
    assert.equal(await promptOf(), 'By ed@example.com: Knapp gesagt')
    await change(keys.admin, id, { content: 'Neu' })
    assert.doesNotMatch(await promptOf(), /ed@example/)
  })
})

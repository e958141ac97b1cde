import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { openDatabase } from '../../src/platform/database/database.ts'
import { createTenant } from '../../src/composition/new-tenant.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import { ROLE_SCOPES } from '../../src/platform/access/scopes.ts'
import { ServiceProcess } from '../durability/service-process.ts'
import { DATABASES } from '../support/databases.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
/** 2.4 million words, nearly all different. Their dictionary alone exceeds the heap when it doubles. */
const BULKS = 20
const LINES = 100
const WORDS = 1_200
/** Letters of a word, with the space after it. */
const LETTERS = 7

/** Returns words of six random letters. */
function randomText(words: number): string {
  const bytes = randomBytes(LETTERS * words)
  for (let i = 0; i < bytes.length; i++) bytes[i] = i % LETTERS === LETTERS - 1 ? 0x20 : 0x61 + (bytes[i] % 26)
  return bytes.toString('latin1')
}

describe('a heap that is smaller than one tenant’s index', () => {
  test('leaves documents of that tenant out of search, while the process and all searches go on', async (t) => {
    // One database is enough: this concerns only the search thread.
    const place = await DATABASES[0].create()
    const heap = { NODE_OPTIONS: '--max-old-space-size=400' }
    const service = await ServiceProcess.start(place, heap)
    t.after(async () => {
      await service.kill()
      await place.remove()
    })
    const ended = once(service.child, 'exit')
    const database = openDatabase(place.options)
    await createTenant(database, { id: 'other', name: 'other', host: null })
    const scopes = ROLE_SCOPES.admin
    const { key } = await issueApiKey(database, 'other', { name: 'test', scopes, userId: null, expiresAt: null })
    await database.close()

    const category = async (options: { key?: string } = {}): Promise<string> =>
      (await service.call('POST', '/api/knowledge/categories', { ...options, body: { name: 'One' } })).body.id
    const mine = { title: 'Lamp', content: 'It gives light.', category_id: await category({ key }) }
    assert.equal((await service.call('POST', ENTRIES, { key, body: mine })).status, 201)
    const category_id = await category()
    for (let bulk = 0; bulk < BULKS; bulk++) {
      const lines = Array.from({ length: LINES }, (_, i) =>
        JSON.stringify({ title: `Entry ${bulk} ${i}`, content: randomText(WORDS), category_id }),
      )
      assert.equal((await service.call('POST', `${ENTRIES}/bulk`, { body: `${lines.join('\n')}\n` })).status, 200)
    }

    const load = { isOver: false }
    const searchesOfOther = async (): Promise<number> => {
      let answered = 0
      for (; !load.isOver; answered++) {
        const { status, body } = await service.call('POST', `${ENTRIES}/search`, { key, body: { query: 'lamp' } })
        assert.deepEqual([status, body.length], [200, 1], JSON.stringify(body))
      }
      return answered
    }
    const others = searchesOfOther()
    const answers = []
    for (const mode of ['keyword', 'semantic', 'hybrid', 'keyword']) {
      let answer = await service.call('POST', `${ENTRIES}/search`, { body: { query: 'lamp', mode } })
      // A heap that is nearly full is slow, and a search waits for its index only so long.
      while (answer.status === 503) {
        assert.match(answer.body.detail[0].msg, /index is being built/)
        answer = await service.call('POST', `${ENTRIES}/search`, { body: { query: 'lamp', mode } })
      }
      answers.push(answer.status)
    }
    const { body: found } = await service.call('POST', `${ENTRIES}/search`, {
      body: { query: 'Entry', mode: 'keyword' },
    })
    load.isOver = true
    assert.ok((await others) > 0)
    assert.deepEqual(answers, [200, 200, 200, 200])
    assert.equal(found.length, 10)
    assert.equal(service.child.exitCode, null)
    assert.equal((await service.call('GET', `${ENTRIES}?limit=1`)).body.length, 1)
    assert.equal((await service.call('POST', ENTRIES, { body: { ...mine, category_id } })).status, 201)
    const { body: metrics } = await service.call('GET', '/metrics')
    assert.match(metrics, /^search_index_refusals_total\{reason="tenant"\} 0$/m)
    assert.match(metrics, /^search_index_left_out [1-9]/m)
    await service.stop()
    assert.deepEqual(await ended, [0, null])
    assert.equal(service.output.includes('search index given up'), false, service.output)
  })
})

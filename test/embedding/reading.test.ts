import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { BOTH_ID } from '../../src/embedding/builtin/ids.ts'
import { knowledge } from '../cli/program.ts'
import { onEachDatabase } from '../support/databases.ts'
import { found } from '../support/patience.ts'
import { TestService } from '../support/service.ts'
import { joinService } from '../support/shared-service.ts'

const ENTRIES = '/api/knowledge/knowledge-entries'
const TEXTS = [
  ['Arbeitszeitregelung', 'Angestellte dürfen zwei Tage je Woche von zu Hause aus arbeiten.'],
  ['Not at work', 'An employee who falls ill informs the manager before nine o’clock.'],
  ['Dienstreisen', 'Wer mit der Bahn fährt, bekommt die Fahrkarte erstattet.'],
  ['Drucker', 'Wenn das Gerät kein Papier einzieht, die Klappe öffnen und die Rolle reinigen.'],
] as const
/** The first entry answers it, in another language and other words. */
const PARAPHRASE = 'Can I do my job remotely?'

onEachDatabase('a tenant whose texts are read by the contextual model', (kind) => {
  let service: TestService

  before(async () => {
    service = await TestService.start(kind, { EMBEDDING_MODEL: 'both' })
  })
  after(() => service.stop())

  const titles = async (at: TestService, query: string, mode: string): Promise<string[]> => {
    const { status, body } = await at.call('POST', `${ENTRIES}/search`, { body: { query, mode } })
    assert.equal(status, 200, JSON.stringify(body))
    return body.map(({ entry }: { entry: { title: string } }) => entry.title)
  }

  const write = async (at: TestService): Promise<void> => {
    const category = await at.category()
    for (const [title, content] of TEXTS) {
      const { status } = await at.call('POST', ENTRIES, { body: { title, content, category_id: category } })
      assert.equal(status, 201)
    }
  }

  test('finds an entry by a paraphrase that the static model misses, once the texts are read', async () => {
    await write(service)
    assert.equal((await titles(service, 'Drucker Papier', 'hybrid'))[0], 'Drucker')
    const status = await found(async () => {
      const { body } = await service.call('GET', '/api/knowledge/embedding-status')
      return body.pending === 0 && body.embedded === TEXTS.length ? body : null
    }, 'all texts are read')
    assert.deepEqual([status.model, status.target_model, status.unread_reason], [BOTH_ID, BOTH_ID, null])
    for (const mode of ['semantic', 'hybrid']) assert.equal((await titles(service, PARAPHRASE, mode))[0], TEXTS[0][0])

    const other = await joinService(kind)
    await write(other)
    assert.notEqual((await titles(other, PARAPHRASE, 'semantic'))[0], TEXTS[0][0])
  })

  test('is searched by words without asking the model, unless the search asks for similar hits', async () => {
    const calls = async (): Promise<number> => {
      const { body } = await service.call('GET', '/metrics')
      return Number(/^embedding_texts_total\{purpose="query"\} (\d+)$/m.exec(body as string)![1])
    }
    const asked = await calls()
    const keyword = { query: 'Fahrkarte', mode: 'keyword' }
    const { body: byWords } = await service.call('POST', `${ENTRIES}/search`, { body: keyword })
    assert.deepEqual([byWords[0].entry.title, byWords[0].similarity], ['Dienstreisen', 0])
    assert.equal(await calls(), asked)
    const { body } = await service.call('POST', `${ENTRIES}/search`, { body: { ...keyword, min_similarity: 0.1 } })
    assert.ok(body[0].similarity > 0.1)
    await service.call('POST', `${ENTRIES}/search`, { body: { ...keyword, mode: 'semantic' } })
    assert.equal(await calls(), asked + 1)
  })

  test('is reindexed by a command, which shares the reading, and the doctor says that the model answers', async () => {
    const env = { EMBEDDING_MODEL: 'both' }
    const { queries } = service.database
    await queries.updateTable('entry_vectors').set({ text_hashes: null }).execute()
    const done = await knowledge(service.place, ['reindex'], { env })
    assert.deepEqual([done.code, done.stdout], [0, `default: everything has vectors of ${BOTH_ID}\n`], done.stderr)
    const unread = queries.selectFrom('entry_vectors').select('entry_id').where('text_hashes', 'is', null)
    assert.deepEqual(await unread.execute(), [])
    const { stdout } = await knowledge(service.place, ['doctor'], { env: { ...env, PORT: '0' } })
    assert.match(stdout, new RegExp(`^ok +embedding +${RegExp.escape(BOTH_ID)} answers in \\d+ ms$`, 'm'))
    assert.match(stdout, /^ok +tenants +tenant default: 4 entries, all with vectors$/m)
  })
})

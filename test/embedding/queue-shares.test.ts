import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Service } from '../../src/server.ts'
import { assertConsistent } from '../durability/consistency.ts'
import { onAnyDatabase } from '../support/databases.ts'
import { call, ENTRIES, reached, Stage } from './stage.ts'

/** Most characters that one transaction of the queue stores, except for a single longer entry. */
const TOGETHER_MAX = 200_000
const SENTENCE = 'Nobody waits for the texts of somebody else. '

onAnyDatabase('what the embedding queue stores at once', (kind) => {
  let stage: Stage
  let service: Service

  before(async () => {
    stage = await Stage.open(kind)
    service = await stage.start()
  })
  after(() => stage.close())

  test('delays other writers by a few long entries at most, however many there are', async () => {
    const shares = await sharesOf(10, 60_000)
    assert.ok(shares.length < 10, `10 entries in ${shares.length} transactions`)
    for (const share of shares) {
      const characters = share.reduce((sum, content) => sum + content.length, 0)
      assert.ok(characters <= TOGETHER_MAX, `${characters} characters in one transaction`)
    }
  })

  test('stores a longer entry in a transaction of its own', async () => {
    const shares = await sharesOf(3, TOGETHER_MAX + 1)
    assert.deepEqual(
      shares.map((share) => share.length),
      [1, 1, 1],
    )
  })

  test('stores as many entries in one transaction as fit', async () => {
    const shares = await sharesOf(12, 25_000)
    assert.ok(shares.length < 4, `12 entries of 25,000 characters in ${shares.length} transactions`)
  })

  /** Imports entries and waits for their vectors. @returns their contents by transaction number */
  async function sharesOf(count: number, length: number): Promise<string[][]> {
    const content = SENTENCE.repeat(Math.ceil(length / SENTENCE.length)).slice(0, length)
    const lines = Array.from({ length: count }, (_, i) =>
      JSON.stringify({ title: `Long ${i}`, content, category_id: stage.category, language: 'en' }),
    )
    const answer = await call(service, 'POST', `${ENTRIES}/bulk`, lines.join('\n'))
    const ids = (answer.body as string)
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id)
    await reached(service, ({ items, embedded, pending }) => embedded === items && pending === 0)
    await assertConsistent(stage.database)
    const rows = await stage.database.queries
      .selectFrom('entries')
      .select(['seq', 'content'])
      .where('id', 'in', ids)
      .execute()
    const shares = Map.groupBy(rows, (row) => row.seq)
    return [...shares.values()].map((share) => share.map((row) => row.content))
  }
})

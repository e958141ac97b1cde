import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Product } from '../contract.ts'
import { chosenOf } from './chosen-hits.ts'
import type { ProductHit } from './search-contract.ts'

test('explained hits with excerpts of long descriptions let the event loop turn between them', async () => {
  const description = 'Eine Lampe mit [Schirm](x) und *Sockel*. '.repeat(400)
  const product = { id: 'p', title: 'Lampe', description, short_description: description, language: 'de' } as Product
  const hits = Array.from({ length: 100 }, (_, i): ProductHit => {
    return { product, similarity: 0, score: 1, rank: i + 1, section: 'products' }
  })
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const chosen = await chosenOf('tenant', hits, 'Messing', { fields: ['id', 'title'], excerpt: { length: 1_000 } })
  isOver = true
  assert.ok(turns >= 3, `the event loop turned ${turns} times`)
  assert.deepEqual(
    chosen.map(({ rank }) => rank),
    hits.map(({ rank }) => rank),
  )
  assert.deepEqual(chosen[99].product, { id: 'p', title: 'Lampe' })
  assert.match(chosen[99].excerpt!.text, /^Eine Lampe mit Schirm und Sockel/)
})

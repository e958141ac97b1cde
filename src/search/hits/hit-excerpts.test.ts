import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchHit } from '../engine.ts'
import { Excerpts } from '../excerpts/excerpt.ts'
import { HitExcerpts } from './hit-excerpts.ts'
import { DocumentShape } from './written-document.ts'

const SHAPE = new DocumentShape(['language', 'text'])
const TEXT = 'Eine Lampe mit [Schirm](x) und *Sockel*. '.repeat(800)

function hitOn(id: string) {
  const hit: SearchHit = { id, seq: 1, similarity: 0, score: 1 }
  return { hit, shown: hit, document: SHAPE.write({ language: 'de', text: TEXT }), seq: 1 }
}

const SOURCE = {
  textOf: () => ({ text: TEXT, title: null }),
  excerptOfLong: () => Promise.reject(new Error('the text is not long')),
}

test('the excerpts of many long texts let the event loop turn between them', async () => {
  const hits = Array.from({ length: 100 }, (_, i) => hitOn(`${i}`))
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  const list = await new HitExcerpts().of('tenant', hits, new Excerpts('Messing', 1_000, true), SOURCE)
  isOver = true
  assert.ok(turns >= 3, `the event loop turned ${turns} times`)
  assert.equal(list.length, hits.length)
  assert.match(list[99].text, /^Eine Lampe mit Schirm und Sockel/)
})

test('a text is cleaned once for each change of its document', async () => {
  let reads = 0
  const source = {
    ...SOURCE,
    textOf() {
      reads++
      return { text: TEXT, title: null }
    },
  }
  const caches = new HitExcerpts()
  const take = (seq: number) =>
    caches.of('tenant', [{ ...hitOn('a'), seq, shown: { id: 'a', seq } }], new Excerpts('Lampe', 200, true), source)
  const [first] = await take(1)
  assert.deepEqual(await take(1), [first])
  assert.equal(reads, 1)
  await take(2)
  assert.equal(reads, 2)
})

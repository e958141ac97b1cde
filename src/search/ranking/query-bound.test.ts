import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueryConcept } from '../analysis/analysis.ts'
import { boundConcepts, CONCEPTS_MAX } from './query-bound.ts'

function concept(text: string, weight = 1, times?: number): QueryConcept {
  return { text, weight, terms: { de: text, en: text, other: text }, ...(times === undefined ? {} : { times }) }
}

const many = (count: number): QueryConcept[] => Array.from({ length: count }, (_, i) => concept(`word${i}`))

function boundedTexts(concepts: readonly QueryConcept[], frequencies: Readonly<Record<string, number>>): string[] {
  return boundConcepts(concepts, ({ text }) => frequencies[text] ?? 50, 1_000).map(({ text }) => text)
}

test('a query of ordinary length keeps all its words, without a look at what they are worth', () => {
  const concepts = many(CONCEPTS_MAX)
  const refuse = () => assert.fail('a frequency was counted')
  assert.equal(boundConcepts(concepts, refuse, 10), concepts)
})

test('of a long query the rarest words are kept, wherever they stand, in their order', () => {
  const concepts = [...many(CONCEPTS_MAX + 40), concept('rare'), concept('rarest')]
  const texts = boundedTexts(concepts, { rare: 2, rarest: 1, word0: 900, word1: 51 })
  assert.equal(texts.length, CONCEPTS_MAX)
  assert.deepEqual(texts.slice(-2), ['rare', 'rarest'])
  assert.deepEqual(texts.slice(0, 2), ['word2', 'word3'])
})

test('parts count less than words, repeated words more, and words that occur nowhere come last', () => {
  const concepts = [concept('absent'), concept('part', 0.3), concept('often', 1, 3), ...many(CONCEPTS_MAX)]
  const texts = boundedTexts(concepts, { absent: 0, often: 200 })
  assert.deepEqual(texts.slice(0, 2), ['often', 'word0'])
  assert.ok(!texts.includes('absent') && !texts.includes('part'))
  const few = [concept('absent'), ...many(CONCEPTS_MAX - 1), concept('nowhere')]
  const bounded = boundConcepts(few, ({ text }) => (text === 'absent' || text === 'nowhere' ? 0 : 5), 100)
  assert.equal(bounded[0].text, 'absent')
  assert.equal(bounded.length, CONCEPTS_MAX)
})

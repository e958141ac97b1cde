import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileVocabulary, synonymsFor, withoutStopWords } from './vocabulary.ts'

const meant = (query: string, ...synonyms: { words: string[]; from?: string }[]) =>
  synonymsFor(query, compileVocabulary({ synonyms, stop_words: [] })).map(({ of, word, share }) => [of, word, share])

test('each word of a typed phrase stands for the others, and only where the phrase is whole', () => {
  const synonym = { words: ['Mobile Phone', 'Handy'] }
  assert.deepEqual(meant('my mobile phones', synonym), [
    ['mobile', 'handy', 0.9],
    ['phone', 'phone', 1],
    ['phone', 'handy', 0.9],
  ])
  assert.deepEqual(meant('phone mobile', synonym), [])
  assert.deepEqual(meant('Handys', synonym), [
    ['handy', 'handy', 1],
    ['handy', 'mobile', 0.45],
    ['handy', 'phone', 0.45],
  ])
})

test('one way leads from the first to the others, never back', () => {
  const synonym = { from: 'Flex', words: ['Winkelschleifer', 'Trennschleifer'] }
  assert.deepEqual(meant('flex', synonym), [
    ['flex', 'winkelschleifer', 0.9],
    ['flex', 'trennschleifer', 0.9],
  ])
  assert.deepEqual(meant('Winkelschleifer', synonym), [])
})

test('synonyms without a letter or digit mean nothing, and a query gets a bounded number of words', () => {
  assert.deepEqual(meant('sofa', { words: ['sofa', '-', '…'] }, { from: '?', words: ['sofa'] }), [])
  const words = Array.from({ length: 20 }, (_, i) => `word${'abcdefghijklmnopqrst'[i]}`)
  assert.equal(meant(words.join(' '), { words }).length, 64)
})

test('stop words go in every form, with the signs around them, unless nothing else is left', () => {
  const vocabulary = compileVocabulary({ synonyms: [], stop_words: ['günstig', 'the'] })
  assert.equal(withoutStopWords('Günstige, the Schuhe (günstig)', vocabulary), 'Schuhe')
  assert.equal(withoutStopWords('günstig!', vocabulary), 'günstig!')
  assert.equal(withoutStopWords('the -', vocabulary), 'the -')
  assert.equal(withoutStopWords('theater', vocabulary), 'theater')
})

test('of a long query the first 64 words count, for phrases too', () => {
  const synonym = { words: ['Mobile Phone', 'Handy'] }
  const behind = (words: number) => `${'x '.repeat(words)}mobile phone`
  assert.equal(meant(behind(62), synonym).length, 2)
  assert.deepEqual(meant(behind(63), synonym), [])
})

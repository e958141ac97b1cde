import assert from 'node:assert/strict'
import { test } from 'node:test'
import { termsOneEditAway } from './near-spellings.ts'
import { type Partition, termOf } from './partitions.ts'

test('a typo in an ending that stemming takes off leads to the stem of the word that was meant', () => {
  const typos: readonly [Partition, string, string][] = [
    ['de', 'antene', 'antenne'],
    ['de', 'bemaer', 'beamer'],
    ['de', 'abteilugn', 'abteilung'],
    ['de', 'headst', 'headset'],
    ['en', 'ratig', 'rating'],
    ['en', 'maning', 'manning'],
    ['en', 'batteyr', 'battery'],
  ]
  for (const [partition, typed, meant] of typos) {
    assert.ok(termsOneEditAway(partition, typed).has(termOf(partition, meant)), `${typed} for ${meant}`)
  }
})

test('every letter that is left out, put in, exchanged or swapped behind the first leads to the term', () => {
  for (const [partition, word] of [
    ['de', 'wohnungen'],
    ['de', 'freundlichkeit'],
    ['en', 'installation'],
    ['en', 'batteries'],
  ] as const) {
    const term = termOf(partition, word)
    const isFound = (typed: string): boolean =>
      termOf(partition, typed) === term || termsOneEditAway(partition, typed).has(term)
    for (let at = 1; at < word.length; at++) {
      const [before, after] = [word.slice(0, at), word.slice(at + 1)]
      assert.ok(isFound(before + after), `${word} without letter ${at}`)
      assert.ok(isFound(`${before}x${after}`), `${word} with another letter ${at}`)
      assert.ok(isFound(`${before}x${word.slice(at)}`), `${word} with one more letter ${at}`)
      if (at + 1 < word.length) {
        assert.ok(isFound(before + word[at + 1] + word[at] + word.slice(at + 2)), `${word} with ${at} swapped`)
      }
    }
  }
})

test('short words, words with digits and languages without stems have no other spellings', () => {
  assert.deepEqual([...termsOneEditAway('de', 'hose')], [])
  assert.deepEqual([...termsOneEditAway('en', 'hp3050')], [])
  assert.deepEqual([...termsOneEditAway('other', 'antene')], [])
  assert.ok(!termsOneEditAway('de', 'lampen').has(termOf('de', 'lampen')))
})

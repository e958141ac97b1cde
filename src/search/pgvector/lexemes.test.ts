import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitsVector, lexemesOf, tsqueryOf, tsqueryOfPrefixes } from './lexemes.ts'

test('words with quotes and backslashes cannot leave their place in a query', () => {
  assert.equal(tsqueryOf([["eit's", 'ea\\'], ["o' | 'x"]]), "('eit''s' | 'ea\\\\') & ('o'' | ''x')")
})

test('a beginning with a quote cannot leave its place in a query', () => {
  assert.equal(tsqueryOfPrefixes(["dit's", 'eit']), "'dit''s':* | 'eit':*")
})

test('a word fits into a query exactly if a document can have it', () => {
  for (const length of [1, 1_998, 1_999, 2_000, 2_001, 3_000]) {
    const word = 'x'.repeat(length)
    assert.equal(fitsVector(`e${word}`), lexemesOf('en', new Map([[word, 1]])).length === 1)
  }
})

test('of more words than PostgreSQL takes the rarest within the document are left out', () => {
  const frequencies = new Map(Array.from({ length: 3_000 }, (_, i) => [`${'w'.repeat(500)}${i}`, i + 1]))
  frequencies.set('x'.repeat(3_000), 10_000)
  const lexemes = lexemesOf('en', frequencies)
  assert.ok(lexemes.length < 2_000 && lexemes.length > 1_900)
  assert.equal(lexemes[0], `e${'w'.repeat(500)}2999`)
  assert.ok(lexemes.reduce((sum, lexeme) => sum + lexeme.length, 0) <= 1_000_000)
})

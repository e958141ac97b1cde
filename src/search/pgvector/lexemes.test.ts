import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lexemesOf, tsqueryOf } from './lexemes.ts'

test('words with quotes and backslashes cannot leave their place in a query', () => {
  assert.equal(tsqueryOf([["eit's", 'ea\\'], ["o' | 'x"]]), "('eit''s' | 'ea\\\\') & ('o'' | ''x')")
})

test('of more words than PostgreSQL takes the rarest within the document are left out', () => {
  const frequencies = new Map(Array.from({ length: 3_000 }, (_, i) => [`${'w'.repeat(500)}${i}`, i + 1]))
  frequencies.set('x'.repeat(3_000), 10_000)
  const kept = lexemesOf('en', frequencies)
  assert.ok(kept.length < 2_000 && kept.length > 1_900)
  assert.equal(kept[0], `e${'w'.repeat(500)}2999`)
  assert.ok(kept.reduce((sum, lexeme) => sum + lexeme.length, 0) <= 1_000_000)
})

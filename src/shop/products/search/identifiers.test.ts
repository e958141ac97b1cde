import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalIdentifier } from './identifiers.ts'

test('identifiers are equal whatever their case, spaces and punctuation', () => {
  for (const text of ['AB/12-3', 'ab123', 'AB 12.3', 'a_b#12\u20133', '(AB) 12,3']) {
    assert.equal(normalIdentifier(text), 'ab123', text)
  }
  assert.notEqual(normalIdentifier('Ä1'), normalIdentifier('1'))
})

test('an identifier of punctuation alone is kept, and an empty one stays empty', () => {
  assert.equal(normalIdentifier(' -/- '), '-/-')
  assert.notEqual(normalIdentifier('+'), normalIdentifier('-'))
  assert.equal(normalIdentifier('  '), '')
})

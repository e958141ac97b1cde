import assert from 'node:assert/strict'
import { test } from 'node:test'
import { identifierForms, normalGtin, normalIdentifier } from './identifiers.ts'

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

test('a barcode is the same number with and without leading zeros, spaces and hyphens', () => {
  for (const text of ['036000291452', '36000291452', '0036000291452', '00036000291452', '0 36000-29145 2']) {
    assert.equal(normalGtin(text), '00036000291452', text)
    assert.ok(identifierForms(text).includes('00036000291452'), text)
  }
  assert.equal(normalGtin('978-3-16-148410-X'), '978316148410x')
  assert.deepEqual(identifierForms('  '), [])
  assert.deepEqual(identifierForms('AB 12'), ['ab12'])
})

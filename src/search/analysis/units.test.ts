import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureIn, measureOf } from './units.ts'

test('a unit, its words in both languages and its plurals are the same measure', () => {
  for (const word of ['l', 'liter', 'litre', 'litres']) assert.equal(measureOf('2', word), '2l')
  for (const word of ['zoll', 'inch', 'inches']) assert.equal(measureOf('24', word), '24inch')
})

test('a number is a measure only with a unit', () => {
  assert.equal(measureOf('15', 'iphone'), null)
  assert.equal(measureIn('18volt'), '18v')
  assert.equal(measureIn('1.5liter'), '1.5l')
  for (const word of ['volt', 'v18', '18v2', '18', '1.5.2l']) assert.equal(measureIn(word), null)
})

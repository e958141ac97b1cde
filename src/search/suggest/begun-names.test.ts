import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameMatcher } from './begun-names.ts'
import type { Correction } from '../engine.ts'
import { wordsOfName } from '../analysis/name-words.ts'

const maktia: Correction = {
  typed: 'Maktia',
  nearest: [{ term: 'makita', partitions: ['de', 'en'], edits: 1, frequency: 3 }],
}
const has = (typed: string, name: string, corrections: readonly Correction[] = []) =>
  nameMatcher(wordsOfName(typed), corrections)(wordsOfName(name))

test('a name has typed words that begin its words, in any order', () => {
  assert.ok(has('bo', 'Robert Bosch') && has('bosch rob', 'Robert Bosch'))
  assert.ok(!has('sch', 'Robert Bosch') && !has('bosch x', 'Robert Bosch') && !has('', 'Robert Bosch'))
})

test('a mistyped word stands for the word that it is nearest to, and not for what that word begins', () => {
  assert.ok(has('maktia', 'Makita Werkzeug', [maktia]) && has('werk maktia', 'Makita Werkzeug', [maktia]))
  assert.ok(!has('maktia', 'Makita Werkzeug') && !has('maktia', 'Makitaner', [maktia]))
})

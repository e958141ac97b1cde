import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { queryKeyOf } from './query-key.ts'

test('spellings of one query share a key: case, spaces, punctuation, umlauts, spaces between digits and letters', () => {
  for (const query of [
    'Akku-Schrauber  18V',
    'akku schrauber 18v',
    ' AKKU, Schrauber: 18 V! ',
    'Akku Schrauber 18-V',
  ]) {
    assert.equal(queryKeyOf(query, 'de'), queryKeyOf('akku schrauber 18v', 'de'))
  }
  assert.equal(queryKeyOf('Kühlschränke', 'fr'), queryKeyOf('kuehlschraenke', 'fr'))
  assert.equal(queryKeyOf('Weiße Stöße', 'de'), queryKeyOf('weisse stoesse', 'de'))
  assert.equal(queryKeyOf('GSR18V-28', 'de'), queryKeyOf('gsr 18 v 28', 'de'))
})

test("word forms share a key, by the stemmer of the tenant's language", () => {
  for (const query of ['Rote Schuhe', 'roter Schuh', 'ROTES SCHUHE']) {
    assert.equal(queryKeyOf(query, 'de-AT'), queryKeyOf('rote schuhe', 'de'))
  }
  assert.equal(queryKeyOf('Häuser', 'de'), queryKeyOf('Haus', 'de'))
  assert.equal(queryKeyOf('batteries', 'en'), queryKeyOf('Battery', 'en'))
  assert.notEqual(queryKeyOf('batteries', 'fr'), queryKeyOf('Battery', 'fr'))
})

test('the order of words is kept, since two queries may differ in nothing else', () => {
  assert.notEqual(queryKeyOf('Akku ohne Ladegerät', 'de'), queryKeyOf('Ladegerät ohne Akku', 'de'))
})

test('a query without words is its own key, and white space has no key', () => {
  assert.equal(queryKeyOf(' ??? ', 'de'), '???')
  assert.equal(queryKeyOf(' \t\n', 'de'), null)
})

test('a key has at most 200 characters, and white space around the query changes nothing, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 600 }),
      fc.constantFrom('de', 'en', 'fr'),
      (query, language) => {
        const key = queryKeyOf(query, language)
        if (key === null) return
        assert.ok(key !== '' && Array.from(key).length <= 200)
        const padded = queryKeyOf(`  ${query}\u00a0`, language)
        assert.equal(padded, key)
      },
    ),
  )
})

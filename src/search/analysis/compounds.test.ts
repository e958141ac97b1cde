import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { splitCompound } from './compounds.ts'

const COMPOUNDS: readonly (readonly [string, string])[] = [
  ['akkuschrauber', 'akku schrauber'],
  ['weizenvollkornmehl', 'weizen vollkornmehl vollkorn voll korn mehl'],
  ['vollkornmehl', 'vollkorn voll korn mehl'],
  ['kuendigungsfrist', 'kuendigung frist'],
  ['kuendigungsfristen', 'kuendigung fristen'],
  ['sprachkurs', 'sprache kurs'],
  ['standort', 'stand ort'],
  ['arbeitsvertrag', 'arbeit vertrag'],
]

for (const [word, parts] of COMPOUNDS) {
  test(`${word} has the parts ${parts}`, () => {
    assert.deepEqual(splitCompound(word), parts.split(' '))
  })
}

test('words that only look like compounds are not split', () => {
  const simple =
    'antwort aromatische beispiel buchstaben computer donnerstag freitag handlung import information ' +
    'interview kombination konsumenten mitarbeiter operator partner profitieren restart schriftsteller ' +
    'schweinerei software start support teenager testament transferring unicode unternehmen vertrag verstand'
  for (const word of simple.split(' ')) assert.deepEqual(splitCompound(word), [], word)
})

test('parts are substrings of the word, except for the e of a shortened noun', () => {
  const noun = fc.constantFrom(
    'akku',
    'vollkorn',
    'sprach',
    'vertrags',
    'netzwerk',
    'mehl',
    'kurs',
    'daten',
    'haus',
    'ort',
  )
  fc.assert(
    fc.property(fc.array(noun, { minLength: 1, maxLength: 7 }), (nouns) => {
      const word = nouns.join('')
      return splitCompound(word).every((part) => part !== word && word.includes(part.replace(/e$/, '')))
    }),
  )
})

test('of a word with countless possible splits each part is looked at a few times only', (t) => {
  const word = 'gases'.repeat(9) + 'x'
  const { has } = Set.prototype
  let looks = 0
  t.mock.method(Set.prototype, 'has', function (this: Set<unknown>, value: unknown) {
    looks++
    return has.call(this, value)
  })
  splitCompound(word)
  // Without the cache of covers there are more than seven thousand.
  assert.ok(looks < 3_000, `${looks} looks`)
})

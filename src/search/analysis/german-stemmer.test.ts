import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from './folding.ts'
import { stemGerman } from './german-stemmer.ts'

const TOGETHER: readonly (readonly string[])[] = [
  ['Haus', 'Häuser', 'Haeuser', 'Häusern', 'Hauses'],
  ['Kündigung', 'Kuendigung', 'Kündigungen', 'kündig'],
  ['Straße', 'Strasse', 'Straßen'],
  ['neu', 'neue', 'neuen', 'neuer', 'neues'],
  ['Buch', 'Bücher', 'Büchern'],
  ['Kenntnis', 'Kenntnisse', 'Kenntnissen'],
  ['möglich', 'mögliche', 'Möglichkeit', 'Möglichkeiten'],
  ['Schrauber', 'Schraubern', 'Schraubers'],
  ['schnell', 'schnelle', 'schnellste'],
]

for (const words of TOGETHER) {
  test(`${words.join(', ')} share one stem`, () => {
    assert.equal(new Set(words.map((word) => stemGerman(fold(word)))).size, 1)
  })
}

test('the stems are those of the published algorithm', () => {
  const published = { aufeinanderschlugen: 'aufeinanderschlug', kategorischen: 'kategor', jahrhunderts: 'jahrhundert' }
  for (const [word, stem] of Object.entries(published)) assert.equal(stemGerman(word), stem)
})

test('u after q and u between vowels are not part of an umlaut', () => {
  assert.equal(stemGerman('quelle'), 'quell')
  assert.equal(stemGerman('neuen'), 'neu')
  assert.notEqual(stemGerman('neuen'), stemGerman('neun'))
})

test('words with other characters than letters stay as they are', () => {
  for (const word of ['ab', '1000xm4', 'привет', '', 'c++']) assert.equal(stemGerman(word), word)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean } from './did-you-mean.ts'
import type { SearchHit } from './engine.ts'

function hit(id: string, ...terms: readonly (readonly [string, string?])[]): SearchHit {
  const explained = terms.map(([term, typed]) => ({ term, idf: 1, frequency: 1, score: 1, ...(typed && { typed }) }))
  const explanation = { bm25: 1, coverage: 1, vectorWeight: null, terms: explained, passage: null }
  return { id, seq: 1, similarity: 0, score: 1, explanation }
}

const TITLES: Readonly<Record<string, string>> = { a: 'Bohrer, 5 mm', b: 'Akkuschrauber mit Häusern' }
const titleOf = (id: string): string | undefined => TITLES[id]

test('a corrected word is replaced by the word of the best title that has it, as it is written there', () => {
  const hits = [hit('a', ['mm']), hit('b', ['akkuschraub', 'Akuschrauber'], ['haus', 'hauser'])]
  assert.equal(didYouMean('Akuschrauber 5 mm, hauser?', hits, titleOf), 'Akkuschrauber 5 mm, Häusern?')
})

test('nothing is meant where no word was corrected, or no title has the right one', () => {
  assert.equal(didYouMean('mm', [hit('a', ['mm'])], titleOf), null)
  assert.equal(didYouMean('schleifr', [hit('a', ['schleif', 'schleifr']), hit('gone', ['x', 'y'])], titleOf), null)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean } from './did-you-mean.ts'
import type { SearchAnswer, SearchHit, SearchRequest } from '../engine.ts'

type Term = readonly [term: string, typed?: string]

function hit(id: string, ...terms: readonly Term[]): SearchHit {
  const explained = terms.map(([term, typed]) => ({ term, idf: 1, frequency: 1, score: 1, ...(typed && { typed }) }))
  const explanation = { bm25: 1, coverage: 1, vectorWeight: null, terms: explained, passage: null }
  return { id, seq: 1, similarity: 0, score: 1, explanation }
}

const TITLES = new Map([
  ['a', 'Bohrer, 5 mm'],
  ['b', 'Akkuschrauber mit Häusern'],
])
const TEXTS = new Map([['a', 'The Smallest deployable unit. A smallest one.']])

/** Corrects a query. @param answers the hits of each query that is searched for */
async function corrected(
  query: string,
  answers: Readonly<Record<string, readonly SearchHit[]>>,
): Promise<string | null> {
  const engine = {
    search: ({ query: text }: SearchRequest): Promise<SearchAnswer> => {
      const typed = Object.keys(answers).filter((each) => each !== query || Object.keys(answers).length === 1)
      const corrections = text === query ? typed.map((each) => ({ typed: each, nearest: [] })) : []
      return Promise.resolve({ hits: answers[text], total: 1, corrections, timing: { refresh: 0, search: 0 } })
    },
  }
  const source = { titlesOf: () => Promise.resolve(TITLES), textsOf: () => Promise.resolve(TEXTS) }
  return didYouMean(engine, {} as SearchRequest, query, source)
}

test('a corrected word is replaced by the word of the best title that has it, as it is written there', async () => {
  const query = 'Akuschrauber 5 mm, hauser?'
  const hits = [hit('a', ['mm']), hit('b', ['akkuschraub', 'Akuschrauber'], ['haus', 'hauser'])]
  assert.equal(await corrected(query, { [query]: hits }), 'Akkuschrauber 5 mm, Häusern?')
})

test('a word that no title has is spelt as the text of a document does', async () => {
  const query = 'smalest deployabl'
  const hits = [hit('a', ['smallest', 'smalest'], ['deploy', 'deployabl'])]
  assert.equal(await corrected(query, { [query]: hits }), 'Smallest deployable')
})

test('a word that the best documents do not have is spelt as those do that are found by it alone', async () => {
  const query = 'bohrr akuschrauber'
  const answers = {
    [query]: [hit('b', ['akkuschraub', 'akuschrauber'])],
    bohrr: [hit('a', ['bohr', 'bohrr'])],
    akuschrauber: [],
  }
  assert.equal(await corrected(query, answers), 'Bohrer Akkuschrauber')
})

test('nothing is meant where no word was corrected, or no document has the right one', async () => {
  assert.equal(await corrected('mm', { mm: [hit('a', ['mm'])] }), null)
  const schleifr = [hit('a', ['schleif', 'schleifr']), hit('gone', ['x', 'y'])]
  assert.equal(await corrected('schleifr', { schleifr }), null)
})

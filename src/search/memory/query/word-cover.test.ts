import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexDefinition, IndexDocument, SearchRequest } from '../../engine.ts'
import { Arena } from '../columns/arena.ts'
import { TenantIndex } from '../index/tenant-index.ts'
import { languageAnalyser } from '../../indexing/text-analyser.ts'
import { createVectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'
import { plainSearch } from '../../../../test/support/search/plain-search.ts'

const DEFINITION: IndexDefinition = {
  name: 'things',
  textFields: { title: 1, body: 1 },
  nameField: 'title',
  keyFields: ['shelf'],
  numberFields: [],
}
const arena = new Arena()
const memory = createVectorMemory(arena, loadKernel(arena.memory))

/** Returns the texts of a document: the part of `title` behind a colon becomes the body. */
function textOf(title: string): IndexDocument['text'] {
  const [name, ...body] = title.split(':')
  return { title: [name], body }
}

function indexOf(titles: readonly string[]): TenantIndex {
  const index = new TenantIndex(DEFINITION, memory, languageAnalyser)
  for (const [i, title] of titles.entries()) {
    const put: IndexDocument = {
      id: title,
      language: 'de',
      changedAt: i,
      group: title,
      text: textOf(title),
      keys: { shelf: [i % 2 === 0 ? 'left' : 'right'] },
      numbers: {},
      passages: [],
    }
    index.apply({ seq: i, put })
  }
  return index
}

function find(index: TenantIndex, query: string, more: Partial<SearchRequest> = {}): readonly string[] {
  const request: SearchRequest = {
    ...plainSearch({ tenantId: 't', index: 'things', model: null, watermark: 0 }, query),
    vectorWeight: 0,
    fuzzy: true,
    allWords: { enough: 1, shareMin: 0.5, bonus: 2 },
    ...more,
  }
  const [answer] = index.search([request])
  if (answer instanceof Error) throw answer
  assert.equal(answer.total, answer.hits.length)
  return answer.hits.map((hit) => hit.id)
}

test('what has all words is found alone, however often others have the rare one', () => {
  const index = indexOf([
    'Salbei Salbei Salbei',
    'Tee aus dem Garten mit Salbei',
    'Tee',
    'Tee Kanne',
    'Tee Ei',
    'Tee Sieb',
  ])
  assert.deepEqual(find(index, 'Salbei Tee'), ['Tee aus dem Garten mit Salbei'])
})

test('where too few have all words, those with most of their weight follow, and those with little stay away', () => {
  const index = indexOf(['Salbei Tee', 'Salbei Salbei Bonbon', 'Tee', 'Tee Kanne', 'Tee Ei', 'Tee Sieb'])
  const rules = { enough: 2, shareMin: 0.5, bonus: 2 }
  assert.deepEqual(find(index, 'Salbei Tee', { allWords: rules }), ['Salbei Tee', 'Salbei Salbei Bonbon'])
})

test('nothing is found where no document has enough of the words', () => {
  const index = indexOf(['Tee', 'Tee Kanne', 'Milch'])
  assert.deepEqual(find(index, 'Tee Lokomotivschuppen'), [])
})

test('a corrected word, a measure in another spelling, a joined word and both parts of a compound count', () => {
  const index = indexOf(['Akku 18 Volt', 'Headset blau', 'Schrauber mit Akku', 'Akku', 'Schrauber', 'blau'])
  assert.deepEqual(find(index, 'Akkku 18V'), ['Akku 18 Volt'])
  assert.deepEqual(find(index, 'head set blau'), ['Headset blau'])
  assert.deepEqual(find(index, 'Akkuschrauber'), ['Schrauber mit Akku'])
})

test('whether enough have all words is asked before the filter, so that facets count what a choice brings', () => {
  const index = indexOf(['Salbei Tee', 'Tee mit Salbei', 'Salbei Bonbon', 'Salbei Keks', 'Tee Sieb', 'Tee Ei'])
  const right: Partial<SearchRequest> = { filter: { field: 'shelf', anyOf: ['right'] } }
  assert.deepEqual(find(index, 'Salbei Tee', { ...right, allWords: { enough: 2, shareMin: 0.5, bonus: 2 } }), [
    'Tee mit Salbei',
  ])
})

test('where the filter leaves none that has all words, those with most of their weight are found', () => {
  const index = indexOf(['Salbei Tee', 'Salbei Bonbon', 'Tee Sieb', 'Tee Ei', 'Tee Kanne', 'Tee'])
  assert.deepEqual(find(index, 'Salbei Tee', { filter: { field: 'shelf', anyOf: ['right'] } }), ['Salbei Bonbon'])
})

test('what is named by the query comes before what only says so, short names first', () => {
  const texts = ['Kanne: Tee mit Salbei', 'Salbei Tee aus dem Garten', 'Salbei Tee', 'Becher: Salbei Tee Salbei Tee']
  const index = indexOf(texts)
  const ids = find(index, 'Salbei Tee', { named: { bonus: 2 } })
  assert.deepEqual(ids.slice(0, 2), ['Salbei Tee', 'Salbei Tee aus dem Garten'])
  assert.equal(ids.length, 4)
  assert.equal(find(index, 'Salbei Tee')[0], 'Becher: Salbei Tee Salbei Tee')
})

test('pieces of a number in a name are not its words', () => {
  const index = indexOf(['Patrone CLP510D5Y', 'Patrone: 510'])
  assert.deepEqual(find(index, 'Patrone 510', { named: { bonus: 9 } })[0], 'Patrone: 510')
})

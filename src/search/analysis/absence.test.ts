import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseDocument } from '../../../test/support/search/analysed.ts'
import type { Partition } from './partitions.ts'
import { analyseQuery, JOINED_WEIGHT, PART_WEIGHT } from './query.ts'

function absences(partition: Partition, text: string): string[] {
  const terms: string[] = []
  analyseDocument(partition, text, (term) => terms.push(term))
  return terms.filter((term) => term.startsWith('-'))
}

const SAID: readonly (readonly [Partition, string, string])[] = [
  ['de', 'Limonade ohne Zucker', '-zuck'],
  ['de', 'zuckerfreie Limonade', '-zuck'],
  ['de', 'frei von Zucker', '-zuck'],
  ['de', 'Zucker-frei, glutenfreies Brot', '-zuck -glut'],
  ['de', 'ohne Nüsse / nussfrei', '-nuss -nuss'],
  ['en', 'sugar-free gum, sugarfree', '-sugar -sugar'],
  ['en', 'gluten free pasta without eggs', '-gluten -egg'],
  ['en', 'free from nuts, free of sugar', '-nut -sugar'],
  ['de', 'ohne dich, ohne die Creme, befreien, Freizeit', ''],
  ['en', 'for free, ohne, free; without\nmilk, of sugar', ''],
  ['en', 'ohne  Zucker without 2 without C-4', ''],
]

for (const [partition, text, terms] of SAID) {
  test(`${JSON.stringify(text)} says "${terms}"`, () => {
    assert.deepEqual(absences(partition, text), terms.split(' ').filter(Boolean))
  })
}

test('a query for something without a thing matches the thing only if no document says that it is without', () => {
  const absent = { de: '-nuss', en: '-nuess', other: '-nuesse' }
  const [snack, without, nuts] = analyseQuery('Snack ohne Nüsse', null)
  assert.equal(snack.unless, undefined)
  assert.deepEqual(without, { text: 'ohne Nüsse', weight: 1, terms: absent, answers: [1] })
  assert.deepEqual([nuts.text, nuts.weight, nuts.unless], ['Nüsse', 1, absent])
  assert.deepEqual(
    analyseQuery('Suppe ohne Hühnerfleisch', null).map(({ text, unless }) => [text, unless !== undefined]),
    [
      ['Suppe', false],
      ['ohne Hühnerfleisch', false],
      ['Hühnerfleisch', true],
      ['huehner', true],
      ['fleisch', true],
    ],
  )
})

test('a word that says absence also asks for its other spellings, with less weight', () => {
  const weights = (query: string) =>
    analyseQuery(query, null).flatMap(({ text, weight, ifKnown }) => (ifKnown ? [] : [[text, weight]]))
  assert.deepEqual(weights('zuckerfreie Limonade'), [
    ['zuckerfreie', 1],
    ['Limonade', 1],
    ['-zucker', PART_WEIGHT],
  ])
  assert.deepEqual(weights('gluten free pasta'), [
    ['gluten', 1],
    ['free', 1],
    ['pasta', 1],
    ['gluten free', JOINED_WEIGHT],
  ])
})

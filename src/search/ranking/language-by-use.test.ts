import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Partition, readQuery } from '../analysis/analysis.ts'
import { languageByUse } from './language-by-use.ts'

type Frequencies = Readonly<Record<string, number>>

/**
 * Guesses the language of a query.
 * @param documents by partition, the number of documents and how many contain each term
 */
function languageOf(query: string, documents: Readonly<Partial<Record<Partition, readonly [number, Frequencies]>>>) {
  return languageByUse(readQuery(query).concepts, {
    documents: (partition) => documents[partition]?.[0] ?? 0,
    frequency: (partition, term) => documents[partition]?.[1][term] ?? 0,
  })
}

test('a word that only documents of one language use shows that the query is in it', () => {
  const mostlyEnglish = { de: [20, { knot: 8 }], en: [600, { node: 200 }] } as const
  assert.equal(languageOf('Knoten', mostlyEnglish), 'de')
  assert.equal(languageOf('nodes', mostlyEnglish), 'en')
})

test('a word that both languages use alike shows nothing', () => {
  assert.equal(languageOf('container', { de: [100, { contain: 50 }], en: [600, { contain: 290 }] }), null)
})

test('a rare word of many documents does not speak for the language that has few', () => {
  assert.notEqual(languageOf('kubelet', { de: [3, {}], en: [600, { kubelet: 1 }] }), 'de')
})

test('words that no document uses, and documents of one language only, show nothing', () => {
  assert.equal(languageOf('Quastenflosser', { de: [20, {}], en: [600, {}] }), null)
  assert.equal(languageOf('nodes', { en: [600, { node: 200 }] }), null)
  assert.equal(languageOf('nodes', {}), null)
})

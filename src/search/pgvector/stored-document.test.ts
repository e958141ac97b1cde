import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { DEFINITION, documents, WORDS } from '../../../test/support/search/documents.ts'
import { PARTITIONS } from '../analysis/analysis.ts'
import { prepare, type PreparedDocument } from '../indexing/prepared-document.ts'
import { languageAnalyser } from '../indexing/text-analyser.ts'
import { decodeDocument, type EncodedDocument, encodeDocument, encodeValues, termPatterns } from './stored-document.ts'

function encoded(prepared: PreparedDocument): EncodedDocument {
  return { stored: encodeDocument(prepared), ownValues: encodeValues(prepared.document) }
}

test('a stored document comes back as it was analysed, with the wanted terms alone', () => {
  const property = fc.property(documents(5), fc.subarray([...WORDS]), (document, words) => {
    const prepared = prepare(DEFINITION, document, languageAnalyser)
    const terms = PARTITIONS.flatMap((partition) => words.map((term) => ({ partition, term })))
    const back = decodeDocument(encoded(prepared), termPatterns(terms))
    const isWanted = (term: string): boolean => (words as readonly string[]).includes(term)
    assert.deepEqual(
      back.frequencies,
      new Map(
        words.flatMap((term) => (prepared.frequencies.has(term) ? [[term, prepared.frequencies.get(term)!]] : [])),
      ),
    )
    assert.deepEqual([...back.nameTerms].sort(), [...prepared.nameTerms].filter(isWanted).sort())
    assert.deepEqual(
      [back.length, back.nameLength, back.partition],
      [prepared.length, prepared.nameLength, prepared.partition],
    )
    // Some of the made-up objects have no prototype; copies all have one.
    assert.deepEqual(structuredClone(back.document), structuredClone({ ...document, text: {} }))
  })
  fc.assert(property, { numRuns: 200 })
})

test('a term that begins or ends like a wanted one is another term', () => {
  const prepared = prepare(
    DEFINITION,
    {
      id: 'one',
      language: 'fr',
      changedAt: 1,
      group: 'one',
      text: { title: ['tablet'], body: ['stable'] },
      keys: {},
      numbers: {},
      passages: [],
    },
    languageAnalyser,
  )
  const stored = encoded(prepared)
  const countOf = (term: string) =>
    decodeDocument(stored, termPatterns([{ partition: 'other', term }])).frequencies.size
  assert.deepEqual(['table', 'tablet', 'stable', 'able'].map(countOf), [0, 1, 1, 0])
})

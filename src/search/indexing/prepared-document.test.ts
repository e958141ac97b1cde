import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { languageAnalyser } from './text-analyser.ts'
import { drain, preparing } from './prepared-document.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { document } from '../../../test/support/search/source.ts'
import { inTier } from '../../../test/support/tier.ts'

test('a long text analysed in many steps gives the same terms as in one', () => {
  const word = fc.constantFrom('Lampe', 'kube-apiserver', 'Weizenvollkornmehl', 'C++', '東京', 'e\u0301', '🙂')
  const gap = fc.constantFrom(' ', '\n', '\n\n', ', ')
  const texts = fc.array(fc.tuple(word, gap), { minLength: 3_000, maxLength: 9_000, size: 'max' })
  const property = fc.property(texts, (parts) => {
    const text = parts.map(([one, other]) => one + other).join('')
    const frequencies = new Map<string, number>()
    const [field] = Object.keys(DEFINITION.textFields)
    const length = languageAnalyser.analyseDocument('de', text, (term, share) => {
      frequencies.set(term, (frequencies.get(term) ?? 0) + DEFINITION.textFields[field] * share)
    })
    const put = { ...document('long', ''), language: 'de', text: { [field]: [text] } }
    const steps = [...preparing(DEFINITION, put, languageAnalyser)].length
    const prepared = drain(preparing(DEFINITION, put, languageAnalyser))
    assert.ok(steps >= Math.floor(text.length / 16_384), `${steps} steps`)
    assert.deepEqual(new Map([...prepared.frequencies].sort()), new Map([...frequencies].sort()))
    assert.equal(prepared.length, length * DEFINITION.textFields[field])
  })
  fc.assert(property, { numRuns: inTier({ gate: 4, all: 10 }) })
})

test('a text without spaces is cut between characters', () => {
  const put = { ...document('long', ''), text: { title: ['🙂'.repeat(9_000) + 'x'.repeat(40_000)] } }
  const prepared = drain(preparing(DEFINITION, put, languageAnalyser))
  assert.ok([...prepared.frequencies.keys()].every((term) => term.isWellFormed()))
})

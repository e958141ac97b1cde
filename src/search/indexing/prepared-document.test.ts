import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { languageAnalyser } from './text-analyser.ts'
import { drain } from '../../platform/threads/steps.ts'
import { preparing, TERMS_MAX } from './prepared-document.ts'
import { analyseDocument } from '../../../test/support/search/analysed.ts'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { naiveSearch, plainAnalyser } from '../../../test/support/search/naive.ts'
import { plainSearch } from '../../../test/support/search/plain-search.ts'
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
    const length = analyseDocument('de', text, (term, share) => {
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

test('a long text is analysed in as many more steps as it has words that are new', () => {
  const stepsOf = (count: number): number => {
    const text = Array.from({ length: count }, (_, n) => `w${n}`).join(' ')
    const put = { ...document('long', ''), text: { title: [text] } }
    return [...preparing(DEFINITION, put, languageAnalyser)].length
  }
  // Both are shorter than a piece.
  assert.deepEqual([stepsOf(100), stepsOf(1_024), stepsOf(2_048)], [1, 4, 8])
})

test('a text without spaces is analysed in as many steps as it is long', () => {
  const stepsOf = (text: string): number => {
    const put = { ...document('long', ''), text: { title: [text] } }
    return [...preparing(DEFINITION, put, languageAnalyser)].length
  }
  // All are one piece.
  for (const unit of ['汽', 'ก', 'x', '-x'])
    assert.deepEqual(
      [1_024, 4_096, 16_384].map((length) => stepsOf(unit.repeat(length / unit.length))),
      [1, 2, 8],
    )
})

test('a text without spaces is cut between characters', () => {
  const put = { ...document('long', ''), text: { title: ['🙂'.repeat(9_000) + 'x'.repeat(40_000)] } }
  const prepared = drain(preparing(DEFINITION, put, languageAnalyser))
  assert.ok([...prepared.frequencies.keys()].every((term) => term.isWellFormed()))
})

test('of a document with too many distinct words, those of the first fields are indexed, and then the first', () => {
  const words = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`)
  const body = words('b', TERMS_MAX + 10)
  const text = { body: [`${body.join(' ')} b0 unseen`], title: words('t', 3), tags: words('g', 20) }
  const put = { ...document('long', ''), text }
  const { frequencies, nameTerms, length } = drain(preparing(DEFINITION, put, plainAnalyser))
  const { title, body: weight } = DEFINITION.textFields
  assert.equal(frequencies.size, TERMS_MAX)
  assert.deepEqual([...nameTerms], words('t', 3))
  assert.ok(words('t', 3).every((word) => frequencies.get(word) === title))
  assert.deepEqual(
    ['b0', `b${TERMS_MAX - 4}`, `b${TERMS_MAX - 3}`, 'g0', 'unseen'].map((word) => frequencies.get(word)),
    [2 * weight, weight, undefined, undefined, undefined],
  )
  assert.ok(length <= 3 * title + (body.length + 2) * weight, 'the tags behind them are not analysed')
})

test('the brute force of the tests bounds a document in the same way', () => {
  const many = Array.from({ length: TERMS_MAX }, (_, i) => `b${i}`).join(' ')
  const put = { ...document('long', ''), text: { title: ['lamp'], body: [many], tags: ['unseen'] } }
  const version = { tenantId: 't', index: DEFINITION.name, model: null, watermark: 1 }
  const found = (query: string): number =>
    naiveSearch(DEFINITION, [put], plainSearch(version, query), plainAnalyser).hits.length
  assert.deepEqual([found('lamp'), found('b0'), found(`b${TERMS_MAX - 1}`), found('unseen')], [1, 1, 0, 0])
})

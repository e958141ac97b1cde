import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { eachChain, nextChains } from './tokeniser.ts'

test('chains that are taken a few at a time are those of the whole text, however many are taken', () => {
  const word = fc.constantFrom('Lampe', 'kube-apiserver', 'C++', '1,5', '東京', 'e\u0301', '🙂', 'x'.repeat(70))
  const gap = fc.constantFrom('', ' ', '\n\n', ', ', '/', '-')
  const texts = fc.array(fc.tuple(word, gap), { maxLength: 30 }).map((parts) => parts.flat().join(''))
  const property = fc.property(texts, fc.integer({ min: 1, max: 5 }), (text, count) => {
    const [whole, taken]: [unknown[], unknown[]] = [[], []]
    eachChain(text, (...chain) => whole.push(chain))
    for (let at = 0; at < text.length;) {
      const before = taken.length
      at = nextChains(text, at, count, (...chain) => taken.push(chain))
      assert.ok(taken.length - before <= count)
    }
    assert.deepEqual(taken, whole)
  })
  fc.assert(property)
})

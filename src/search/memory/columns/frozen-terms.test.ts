import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Postings } from './postings.ts'
import { inTier } from '../../../../test/support/tier.ts'

const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', 'b', 'ß', 'é', 'Ω', '\ud83d'), maxLength: 6 }),
  fc.constantFrom('tag\u0000red', 'ab', 'a', '', 'ａ', 'lamp'),
)

test('frozen postings find every term, whatever its letters, list them as before and find no others', async () => {
  const property = fc.asyncProperty(fc.array(words, { maxLength: 200, size: 'max' }), words, async (terms, other) => {
    const [postings, frozen] = [new Postings(), new Postings()]
    for (const [i, term] of terms.entries()) {
      postings.append(term, i)
      frozen.append(term, i)
    }
    if (terms.length % 2 === 1) frozen.beginningWith('a')
    await frozen.freeze(() => undefined)
    await frozen.freeze(() => undefined)
    assert.deepEqual([...frozen.terms()], [...postings.terms()])
    assert.equal(frozen.size, postings.size)
    for (const term of [...terms, other, `${other}x`]) {
      const id = postings.find(term)
      assert.equal(frozen.find(term), id)
      if (id < 0) continue
      const [lists, expected] = [new Uint32Array(terms.length), new Uint32Array(terms.length)]
      assert.equal(frozen.read(id, lists), postings.read(id, expected))
      assert.deepEqual(lists, expected)
      assert.deepEqual(frozen.beginningWith(term[0]), postings.beginningWith(term[0]))
    }
    assert.throws(() => frozen.append('a term that nobody wrote', 1), RangeError)
  })
  await fc.assert(property, { numRuns: inTier({ gate: 60, all: 300 }) })
})

test('a dictionary takes less once it is frozen, and nothing of it lies on the heap', async () => {
  const postings = new Postings()
  for (let i = 0; i < 50_000; i++) postings.append(`title\u0000a document with the number ${i}`, i % 1_000)
  const { bytes } = postings
  await postings.freeze(() => undefined)
  assert.equal(postings.heapBytes, 0)
  assert.ok(postings.bytes < 0.8 * bytes, `${postings.bytes} of ${bytes}`)
})

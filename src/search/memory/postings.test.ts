import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Postings } from './postings.ts'

test('each term has the values appended to it, in their order', () => {
  const run = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'),
    fc.integer({ min: 1, max: 700 }),
  )
  const property = fc.property(fc.array(run, { maxLength: 30 }), (runs) => {
    const postings = new Postings()
    const expected = new Map<string, number[]>()
    let value = 0
    for (const [term, count] of runs) {
      const list = expected.get(term) ?? []
      expected.set(term, list)
      for (let i = 0; i < count; i++) {
        postings.append(term, value)
        list.push(value++)
      }
    }
    assert.equal(postings.size, expected.size)
    assert.equal(postings.find('never'), -1)
    for (const [term, list] of expected) {
      const id = postings.find(term)
      const found = new Uint32Array(postings.count(id))
      assert.equal(postings.read(id, found), list.length)
      assert.deepEqual([...found], list)
    }
  })
  fc.assert(property, { numRuns: 60 })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { PagedOut } from './frozen-terms.ts'
import { Postings } from './postings.ts'
import { inTier } from '../../../../test/support/tier.ts'

test('each term has the values appended to it, in their order, also when it is frozen', async () => {
  const run = fc.tuple(
    fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'),
    fc.integer({ min: 1, max: 700 }),
  )
  const property = fc.asyncProperty(fc.array(run, { maxLength: 30 }), async (runs) => {
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
    const check = (): void => {
      assert.equal(postings.size, expected.size)
      assert.equal(postings.find('never'), -1)
      for (const [term, list] of expected) {
        const id = postings.find(term)
        const values = new Uint32Array(postings.count(id))
        assert.equal(postings.read(id, values), list.length)
        assert.deepEqual([...values], list)
      }
    }
    check()
    await postings.freeze(() => undefined)
    check()
  })
  await fc.assert(property, { numRuns: inTier({ gate: 20, all: 60 }) })
})

test('the lists of frozen postings take four bytes for a value, and four for a term', async () => {
  const postings = new Postings()
  const [terms, values] = [3_000, 15_000]
  for (let i = 0; i < values; i++) postings.append(`t${1_000 + (i % terms)}`, i)
  await postings.freeze(() => undefined)
  const dictionary = 5 * terms + 4 * (terms + 1) + Math.ceil(terms / 32) * 4 + 2 * 8_192
  assert.equal(postings.bytes, 4 * values + 4 * (terms + 1) + dictionary)
})

test('postings that are paged out answer nothing rather than something wrong, and come back as they were', async () => {
  const postings = new Postings()
  for (const [i, term] of ['red', 'tisch', 'größe', 'Ωmega', 'red'].entries()) postings.append(term, i)
  await postings.freeze(() => undefined)
  const before = { all: [...postings.terms()], red: postings.find('red'), with: postings.beginningWith('t') }
  const arrays = postings.arrays!
  postings.pageOut()
  assert.ok(postings.bytes <= 8, `${postings.bytes}`)
  assert.equal(postings.size, 4)
  assert.throws(() => postings.find('red'), PagedOut)
  assert.throws(() => [...postings.terms()], PagedOut)
  postings.pageIn(arrays)
  assert.deepEqual({ all: [...postings.terms()], red: postings.find('red'), with: postings.beginningWith('t') }, before)
  const values = new Uint32Array(2)
  assert.equal(postings.read(postings.find('red'), values), 2)
  assert.deepEqual([...values], [0, 4])
})

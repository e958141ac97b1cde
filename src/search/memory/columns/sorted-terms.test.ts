import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { nearOnes } from '../../../../test/support/search/naive.ts'
import { Postings } from './postings.ts'
import { nearTerms, rangeOf } from './sorted-terms.ts'

/** Words of few letters, so that many begin alike and are near each other. */
const word = fc.stringMatching(/^[abc]{1,9}$/)
const sorted = fc.uniqueArray(word, { maxLength: 60, size: 'max' }).map((words) => words.sort())

test('the terms near a word are those that comparing each finds, with as many edits', () => {
  const property = fc.property(
    sorted,
    word,
    fc.constantFrom(0, 1, 2),
    fc.boolean(),
    (terms, typed, limit, areBegun) => {
      const alike = terms.filter((term) => term[0] === typed[0])
      assert.deepEqual([...nearTerms(alike, typed, limit, areBegun)], nearOnes(terms, typed, limit, areBegun))
    },
  )
  fc.assert(property, { numRuns: 3_000 })
})

test('the terms that start with a prefix are those that comparing each finds', () => {
  const property = fc.property(sorted, word, (terms, prefix) => {
    assert.deepEqual(
      terms.slice(...rangeOf(terms, prefix)),
      terms.filter((term) => term.startsWith(prefix)),
    )
  })
  fc.assert(property, { numRuns: 1_000 })
})

test('a dictionary lists its terms by prefix in order, also those added after it was asked', () => {
  const step = fc.oneof(
    word,
    word.map((prefix) => ({ prefix })),
  )
  const property = fc.property(fc.array(step), (steps) => {
    const postings = new Postings()
    const counts = new Map<string, number>()
    for (const each of steps) {
      if (typeof each === 'string') {
        postings.append(each, 1)
        counts.set(each, (counts.get(each) ?? 0) + 1)
        continue
      }
      const expected = [...counts].filter(([term]) => term.startsWith(each.prefix)).sort(([a], [b]) => (a < b ? -1 : 1))
      const listed: [string, number][] = []
      postings.eachWithPrefix(each.prefix, (term, count) => listed.push([term, count]))
      assert.deepEqual(listed, expected)
    }
  })
  fc.assert(property, { numRuns: 500 })
})

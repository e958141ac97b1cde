import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { BUDGET_MIN, excerpt, fill, jsonLength, pageOfText, sliceWithin } from './budget.ts'

const texts = fc.string({ unit: anyCharacter, maxLength: 400 })

test('the pages of a text joined together are the text; each is within its limit and none is empty', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 12, max: 60 }), (text, max) => {
      let whole = ''
      let offset: number | null = 0
      while (offset !== null) {
        const page = pageOfText(text, offset, max)
        assert.equal(page.start, whole.length)
        assert.ok(jsonLength(page.part) - 2 <= max, `${jsonLength(page.part)} of ${max}`)
        assert.ok(page.part.isWellFormed() || !text.isWellFormed())
        whole += page.part
        assert.ok(page.next === null || page.next > offset)
        offset = page.next
      }
      assert.equal(whole, text)
    }),
  )
})

test('a page ends at a paragraph, a line or a word that ends near its limit', () => {
  assert.equal(pageOfText(`${'a'.repeat(90)}\n\nbb cc dd`, 0, 98).part, `${'a'.repeat(90)}\n\n`)
  assert.equal(pageOfText(`${'a'.repeat(90)} ${'b'.repeat(90)}`, 0, 100).part, `${'a'.repeat(90)} `)
  assert.equal(pageOfText('a'.repeat(200), 0, 100).part.length, 100)
  assert.deepEqual(pageOfText('abc', 99, 100), { part: '', start: 3, next: null })
})

test('a page whose offset is inside a surrogate pair begins with the whole pair', () => {
  assert.deepEqual(pageOfText('a😀b', 2, 100), { part: '😀b', start: 1, next: null })
  assert.equal(sliceWithin('😀😀', 0, 1), '😀')
})

test('an excerpt is one line within its limit, and the whole text if that fits', () => {
  assert.equal(excerpt('  one\n\n two ', 50), 'one two')
  assert.equal(excerpt('one two three four', 12), 'one two…')
  assert.equal(excerpt('anything', 0), '')
  fc.assert(
    fc.property(texts, fc.integer({ min: 8, max: 80 }), (text, max) => {
      const short = excerpt(text, max)
      assert.ok(jsonLength(short) - 2 <= max)
      assert.ok(short.isWellFormed() || !text.isWellFormed())
    }),
  )
})

test('items are taken in order until the next one does not fit, as text or as JSON', () => {
  const make = (n: number, max: number) => ({ json: { n, excerpt: excerpt('w '.repeat(2_000), max) }, text: `${n}` })
  const taken = fill([1, 2, 3, 4, 5, 6, 7, 8], BUDGET_MIN, 300, make)
  assert.deepEqual(
    taken.map(({ json }) => json.n),
    [1, 2, 3, 4],
  )
  assert.ok(jsonLength(taken.map(({ json }) => json)) <= BUDGET_MIN)
  assert.equal(fill([1], BUDGET_MIN, 300, make, BUDGET_MIN).length, 0)
})

test('when even the first item does not fit, it comes without its excerpt', () => {
  const make = (_: number, max: number) => ({ json: { excerpt: 'x'.repeat(max) }, text: '' })
  assert.deepEqual(fill([1, 2], BUDGET_MIN, 5_000, make)[0].json, { excerpt: '' })
})

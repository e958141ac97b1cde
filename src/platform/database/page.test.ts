import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PAGE_BYTES_MAX, pageOf, readPage } from './page.ts'

const sized = (...sizes: number[]) => sizes.map((bytes) => ({ bytes }))

test('a page ends at its limit or before the row that exceeds the bytes, and is never empty', () => {
  assert.equal(pageOf(sized(1, 1, 1), 2).length, 2)
  assert.equal(pageOf(sized(1, 1), 2).length, 2)
  assert.equal(pageOf([], 2).length, 0)
  assert.equal(pageOf(sized(PAGE_BYTES_MAX, 0, 1), 9).length, 2)
  assert.equal(pageOf(sized(PAGE_BYTES_MAX + 1, 0), 9).length, 1)
})

test('all pages together are the whole list', () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 2 * PAGE_BYTES_MAX }), { maxLength: 20 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5 }), (list, limit) => {
      let rest = sized(...list)
      while (rest.length > 0) {
        const page = pageOf(rest.slice(0, limit + 1), limit)
        assert.ok(page.length > 0 && page.length <= limit)
        if (page.length > 1) assert.ok(page.reduce((sum, row) => sum + row.bytes, 0) <= PAGE_BYTES_MAX)
        rest = rest.slice(page.length)
      }
    }),
  )
})

test('a page of rows whose lengths are not known beforehand ends at the bytes of their texts, not at the characters', async () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({ id: String(i), text: 'ä'.repeat(1_024 * 1_024) }))
  const read = async (after: string | null, limit: number) => {
    const start = after === null ? 0 : Number(after) + 1
    return rows.slice(start, start + limit)
  }
  const { items, next } = await readPage('owner', { limit: 10, after: null }, read, ({ id }) => id)
  // Two MiB each; the fourth is over by the bytes of its id.
  assert.deepEqual([items.length, next], [3, '2'])
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compileKernel, KERNELS } from '../../../../scripts/build-kernel.ts'
import { Arena } from './arena.ts'
import { loadKernel } from './vector-kernel.ts'
import { inTier } from '../../../../test/support/tier.ts'

for (const [name, features] of Object.entries(KERNELS)) {
  test(`the committed ${name} is compiled from its source`, async () => {
    const committed = readFileSync(join(import.meta.dirname, 'kernel', name))
    assert.ok(committed.equals(Buffer.from(await compileKernel(features))), 'run scripts/build-kernel.ts')
  })
}

const arena = new Arena()
const plain = loadKernel(arena.memory, 'plain')
const relaxed = loadKernel(arena.memory, 'relaxed')

const FACTS_BYTES = 16
/** Places of a query's results: more than any number of rows below. */
const PLACES = 320

/** Input of a scan of all rows: codes of rows and of queries, and by row its slot; null if rows are slots. */
const scan = fc
  .record({
    rows: fc.integer({ min: 1, max: 300 }),
    queries: fc.integer({ min: 1, max: 7 }),
    bytes: fc.constantFrom(16, 32),
  })
  .chain(({ rows, queries, bytes }) => {
    const code = fc.oneof(fc.constantFrom(-127, 127, 0), fc.integer({ min: -127, max: 127 }))
    const queryCode = fc.oneof(fc.constantFrom(0, 127), fc.integer({ min: 0, max: 127 }))
    const listOf = (each: fc.Arbitrary<number>, length: number) =>
      fc.array(fc.array(each, { minLength: bytes, maxLength: bytes }), { minLength: length, maxLength: length })
    return fc.record({
      bytes: fc.constant(bytes),
      codes: listOf(code, rows),
      queries: listOf(queryCode, queries),
      slots: fc.option(fc.array(fc.nat({ max: 9 }), { minLength: rows, maxLength: rows })),
    })
  })

test('scans of any number of rows by any number of queries agree with integer arithmetic, with relaxed SIMD and without', () => {
  const [codes, query, facts, out] = [PLACES * 32, 7 * 32, 7 * FACTS_BYTES, 7 * PLACES * 4].map((bytes) =>
    arena.allocate(bytes),
  )
  const [slotsAt, scales, sums, errors] = Array.from({ length: 4 }, () => arena.allocate(PLACES * 4))
  const property = fc.property(scan, (input) => {
    const rows = input.codes.length
    for (const [row, each] of input.codes.entries()) arena.u8.set(each, codes + row * input.bytes)
    for (const [q, each] of input.queries.entries()) {
      arena.u8.set(each, query + q * input.bytes)
      arena.f32.set([1, 1, 0], (facts + q * FACTS_BYTES) >>> 2)
      arena.u32[(facts + q * FACTS_BYTES + 12) >>> 2] = out + q * PLACES * 4
    }
    arena.u32.set(input.slots ?? [], slotsAt >>> 2)
    // Each row has its own values, so that a row that takes those of another one shows.
    for (let row = 0; row < PLACES; row++) {
      arena.f32[(scales >>> 2) + row] = 1 + (row % 5)
      arena.i32[(sums >>> 2) + row] = row
      arena.f32[(errors >>> 2) + row] = row % 3
    }
    const expected = input.queries.map((each) => {
      const highs = Array.from({ length: input.slots === null ? rows : 10 }, () => -Infinity)
      for (const [row, code] of input.codes.entries()) {
        const dot = code.reduce((sum, value, i) => sum + value * each[i], 0)
        const place = input.slots?.[row] ?? row
        highs[place] = Math.max(highs[place], (1 + (row % 5)) * (dot - row) + (row % 3))
      }
      return highs
    })
    for (const kernel of [plain, relaxed]) {
      arena.f32.fill(-Infinity, out >>> 2, (out >>> 2) + 7 * PLACES)
      const rest = [input.slots === null ? 0 : slotsAt, rows, query, facts, input.queries.length] as const
      kernel.scanAll(codes, input.bytes, scales, sums, errors, ...rest)
      const actual = expected.map((highs, q) => {
        const at = (out >>> 2) + q * PLACES
        return [...arena.f32.subarray(at, at + highs.length)]
      })
      assert.deepEqual(actual, expected)
    }
  })
  fc.assert(property, { numRuns: inTier({ gate: 100, all: 500 }) })
})

test('the k-th largest value and the places that reach it equal those of a sorted list', () => {
  const value = fc.oneof(
    fc.constant(-Infinity),
    fc.float({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(1, 2),
  )
  const list = fc.array(value, { maxLength: 80 })
  const property = fc.property(list, fc.integer({ min: 1, max: 20 }), (some, k) => {
    const values = [...some, ...Array<number>((4 - (some.length % 4)) % 4).fill(-Infinity)]
    const heap = arena.allocate(k * 4)
    const out = arena.allocate(100 * 4)
    const at = arena.allocate(Math.max(4, values.length * 4))
    arena.f32.set(values, at >>> 2)
    const size = plain.offerAll(at, values.length, heap, k)
    const sorted = values.filter((each) => each > -Infinity).toSorted((a, b) => b - a)
    assert.equal(size, Math.min(k, sorted.length))
    if (size === k) assert.equal(arena.f32[heap >>> 2], sorted[k - 1])
    const threshold = size === k ? sorted[k - 1] : -Infinity
    const count = plain.collect(at, values.length, threshold, out)
    const places = values.flatMap((each, i) => (each >= threshold && each > -Infinity ? [i] : []))
    assert.deepEqual([...arena.u32.subarray(out >>> 2, (out >>> 2) + count)], places)
    for (const block of [heap, out, at]) arena.free(block)
  })
  fc.assert(property, { numRuns: inTier({ gate: 60, all: 300 }) })
})

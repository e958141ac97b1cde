import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compileKernel, KERNELS } from '../../../scripts/build-kernel.ts'
import { Arena } from './arena.ts'
import { loadKernel } from './vector-kernel.ts'

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
/** Enough for one scan of four queries and three single ones. */
const QUERIES = 7

test('scans with and without relaxed SIMD agree with integer arithmetic, even for extreme values', () => {
  const bytes = 32
  const rows = 8
  const code = fc.oneof(fc.constantFrom(-127, 127, 0), fc.integer({ min: -127, max: 127 }))
  const queryCode = fc.oneof(fc.constantFrom(0, 127), fc.integer({ min: 0, max: 127 }))
  const codes = arena.allocate(rows * bytes)
  const query = arena.allocate(QUERIES * bytes)
  const scales = arena.allocate(rows * 4)
  const sums = arena.allocate(rows * 4)
  const errors = arena.allocate(rows * 4)
  const facts = arena.allocate(QUERIES * FACTS_BYTES)
  const out = arena.allocate(QUERIES * 64 * 4)
  const codesOf = (queries: readonly number[], q: number) => queries.slice(q * bytes, (q + 1) * bytes)
  const property = fc.property(
    fc.array(code, { minLength: rows * bytes, maxLength: rows * bytes }),
    fc.array(queryCode, { minLength: QUERIES * bytes, maxLength: QUERIES * bytes }),
    (all, queries) => {
      arena.u8.set(all, codes)
      arena.u8.set(queries, query)
      arena.f32.fill(1, scales >>> 2, (scales >>> 2) + rows)
      arena.i32.fill(0, sums >>> 2, (sums >>> 2) + rows)
      arena.f32.fill(0, errors >>> 2, (errors >>> 2) + rows)
      const expected = Array.from({ length: QUERIES }, (_, q) =>
        Array.from({ length: rows }, (_row, row) =>
          codesOf(queries, q).reduce((sum, value, i) => sum + value * all[row * bytes + i], 0),
        ),
      )
      for (let q = 0; q < QUERIES; q++) {
        arena.f32.set([1, 1, 0], (facts + q * FACTS_BYTES) >>> 2)
        arena.u32[(facts + q * FACTS_BYTES + 12) >>> 2] = out + q * 64 * 4
      }
      for (const kernel of [plain, relaxed]) {
        arena.f32.fill(-1, out >>> 2, (out >>> 2) + QUERIES * 64)
        kernel.scanAll(codes, bytes, scales, sums, errors, 0, rows, query, facts, QUERIES, rows % 2)
        const found = expected.map((_, q) => [...arena.f32.subarray((out >>> 2) + q * 64, (out >>> 2) + q * 64 + rows)])
        assert.deepEqual(found, expected)
      }
    },
  )
  fc.assert(property, { numRuns: 200 })
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
    const held = plain.offerAll(at, values.length, heap, k)
    const sorted = values.filter((each) => each > -Infinity).toSorted((a, b) => b - a)
    assert.equal(held, Math.min(k, sorted.length))
    if (held === k) assert.equal(arena.f32[heap >>> 2], sorted[k - 1])
    const threshold = held === k ? sorted[k - 1] : -Infinity
    const found = plain.collect(at, values.length, threshold, out)
    const places = values.flatMap((each, i) => (each >= threshold && each > -Infinity ? [i] : []))
    assert.deepEqual([...arena.u32.subarray(out >>> 2, (out >>> 2) + found)], places)
    for (const block of [heap, out, at]) arena.free(block)
  })
  fc.assert(property, { numRuns: 300 })
})

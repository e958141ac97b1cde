import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Arena } from './arena.ts'
import { inTier } from '../../../../test/support/tier.ts'

test('blocks never overlap, keep their content also when they are resized, and are joined again when all are freed', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.oneof(fc.nat(300), fc.nat(400_000)).map((bytes) => ({ bytes })) },
    { weight: 2, arbitrary: fc.nat().map((which) => ({ which })) },
    { weight: 2, arbitrary: fc.record({ which: fc.nat(), size: fc.oneof(fc.nat(300), fc.nat(400_000)) }) },
  )
  const property = fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
    const arena = new Arena()
    const blocks: { at: number; bytes: number; mark: number }[] = []
    let mark = 0
    for (const each of steps) {
      if ('bytes' in each) {
        const at = arena.allocate(each.bytes)
        mark = (mark + 1) & 0xff
        assert.ok(at > 0 && at % 64 === 0 && at + each.bytes <= arena.memory.buffer.byteLength)
        arena.u8.fill(mark, at, at + each.bytes)
        blocks.push({ at, bytes: each.bytes, mark })
      } else if ('size' in each) {
        const block = blocks[each.which % blocks.length]
        if (block === undefined || !arena.resize(block.at, each.size)) continue
        const length = Math.min(block.bytes, each.size)
        assert.ok(arena.u8.subarray(block.at, block.at + length).every((value) => value === block.mark))
        arena.u8.fill(block.mark, block.at, block.at + each.size)
        block.bytes = each.size
      } else if (blocks.length > 0) {
        const [{ at, bytes, mark: own }] = blocks.splice(each.which % blocks.length, 1)
        assert.ok(arena.u8.subarray(at, at + bytes).every((value) => value === own))
        arena.free(at)
      }
    }
    for (const { at, bytes, mark: own } of blocks) {
      assert.ok(arena.u8.subarray(at, at + bytes).every((value) => value === own))
      arena.free(at)
    }
    assert.equal(arena.used, 0)
    const size = arena.memory.buffer.byteLength
    arena.allocate(size - 64)
    assert.equal(arena.memory.buffer.byteLength, size)
  })
  fc.assert(property, { numRuns: inTier({ gate: 15, all: 40 }) })
})

test('freeing an address without a block is refused', () => {
  const arena = new Arena()
  const at = arena.allocate(10)
  arena.free(at)
  assert.throws(() => arena.free(at), RangeError)
})

test('a block grows where it lies if what is behind it is free or the end of the memory, and not otherwise', () => {
  const arena = new Arena()
  const first = arena.allocate(65_536)
  const second = arena.allocate(64)
  assert.equal(arena.resize(first, 65_600), false)
  assert.equal(arena.resize(second, 4 * 2 ** 20), true)
  assert.equal(arena.resize(second, 64), true)
  assert.equal(arena.resize(second, 5 * 2 ** 20), true)
  arena.free(second)
  assert.equal(arena.resize(first, 5 * 2 ** 20), true)
  assert.equal(arena.used, 5 * 2 ** 20)
})

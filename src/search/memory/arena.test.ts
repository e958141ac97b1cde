import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Arena } from './arena.ts'

test('blocks never overlap, keep their content, and are joined again when all are freed', () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.oneof(fc.nat(300), fc.nat(400_000)).map((bytes) => ({ bytes })) },
    { weight: 2, arbitrary: fc.nat().map((which) => ({ which })) },
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
  fc.assert(property, { numRuns: 40 })
})

test('freeing an address without a block is refused', () => {
  const arena = new Arena()
  const at = arena.allocate(10)
  arena.free(at)
  assert.throws(() => arena.free(at), RangeError)
})

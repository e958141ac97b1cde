import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Arena, ArenaFull } from './arena.ts'
import { createVectorMemory, VectorColumn } from './vector-column.ts'
import { loadKernel } from './vector-kernel.ts'

const DIMENSIONS = 24
const MIB = 2 ** 20

function columnWith(arena: Arena, rows: number): { column: VectorColumn; vectors: Float32Array[] } {
  const column = new VectorColumn(createVectorMemory(arena, loadKernel(arena.memory)), DIMENSIONS)
  const vectors = Array.from({ length: rows }, (_, row) =>
    Float32Array.from({ length: DIMENSIONS }, (_, i) => Math.sin(row * 31 + i + 1)),
  )
  for (const vector of vectors) column.append(vector)
  return { column, vectors }
}

/** Everything that a scan reads of the rows. */
function contentOf(arena: Arena, column: VectorColumn): unknown[] {
  const { rows } = column
  return [
    arena.f64.slice(column.norms >>> 3, (column.norms >>> 3) + rows),
    arena.f32.slice(column.vectors >>> 2, (column.vectors >>> 2) + rows * DIMENSIONS),
    arena.u8.slice(column.codes, column.codes + rows * 32),
    arena.f32.slice(column.scales >>> 2, (column.scales >>> 2) + rows),
    arena.i32.slice(column.sums >>> 2, (column.sums >>> 2) + rows),
    arena.f32.slice(column.errors >>> 2, (column.errors >>> 2) + rows),
  ]
}

test('a column that shrinks gives back the room for rows to come, and keeps its rows to the last bit', () => {
  const arena = new Arena()
  const { column, vectors } = columnWith(arena, 1_030)
  const before = contentOf(arena, column)
  assert.ok(column.bytes > 1.1 * column.usedBytes)
  column.shrink()
  assert.ok(column.bytes < 1.02 * column.usedBytes, `${column.bytes} for ${column.usedBytes}`)
  assert.deepEqual(contentOf(arena, column), before)
  assert.deepEqual(column.read(1_029), vectors[1_029])
  column.append(vectors[0])
  assert.deepEqual(column.read(1_030), vectors[0])
})

test('a column grows where it lies, and moves when another block is behind it', () => {
  const arena = new Arena()
  const { column, vectors } = columnWith(arena, 1_000)
  assert.ok(arena.memory.buffer.byteLength < 1.3 * column.bytes + MIB, 'growing left gaps')
  const before = contentOf(arena, column)
  const first = column.norms
  arena.allocate(MIB)
  for (const vector of vectors) column.append(vector)
  assert.notEqual(column.norms, first)
  column.rows = 1_000
  assert.deepEqual(contentOf(arena, column), before)
})

test('a column shrinks when the memory is full', () => {
  const arena = new Arena(MIB)
  const { column } = columnWith(arena, 1_030)
  const before = contentOf(arena, column)
  assert.throws(() => {
    for (;;) arena.allocate(4_096)
  }, ArenaFull)
  column.shrink()
  assert.ok(column.bytes < 1.02 * column.usedBytes)
  assert.deepEqual(contentOf(arena, column), before)
})

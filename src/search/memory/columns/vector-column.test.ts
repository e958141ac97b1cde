import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Arena, ArenaFull } from './arena.ts'
import type { IndexFile, IndexFiles } from './index-files.ts'
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

/** Returns all columns of the rows: norms, originals, codes, scales, sums and errors. */
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

/** Makes files in memory and lists the open ones. */
function filesInMemory(): IndexFiles & { readonly open: Set<IndexFile> } {
  const open = new Set<IndexFile>()
  return {
    open,
    giveUp: () => undefined,
    create() {
      let content = Buffer.alloc(0)
      const file: IndexFile = {
        append(bytes) {
          content = Buffer.concat([content, bytes])
          return Promise.resolve()
        },
        read: (into, position) => into.set(content.subarray(position, position + into.length)),
        close: () => assert.ok(open.delete(file), 'closed once'),
      }
      open.add(file)
      return file
    },
  }
}

test('a column whose originals move to a file takes the memory of the rest, and keeps its rows to the last bit', async () => {
  const arena = new Arena()
  const { column, vectors } = columnWith(arena, 1_030)
  column.shrink()
  const { bytes } = column
  const [norms, , ...scanned] = contentOf(arena, column)
  const files = filesInMemory()
  assert.equal(await column.moveOriginals(files, () => undefined), true)
  assert.equal(column.fileBytes, 1_030 * DIMENSIONS * 4)
  assert.ok(column.bytes <= bytes - column.fileBytes, `${column.bytes} of ${bytes}`)
  const [movedNorms, , ...moved] = contentOf(arena, column)
  assert.deepEqual([movedNorms, ...moved], [norms, ...scanned])
  for (const row of [0, 1, 511, 1_029]) assert.deepEqual(column.read(row), vectors[row])
  assert.equal(await column.moveOriginals(files, () => undefined), false)
  column.free()
  assert.equal(files.open.size, 0)
})

test('listed rows of a file come in portions, in order, each with its norm', async () => {
  const arena = new Arena()
  const { column, vectors } = columnWith(arena, 1_030)
  await column.moveOriginals(filesInMemory(), () => undefined)
  const numbers = [...vectors.keys()].filter((row) => row % 3 !== 1)
  const list = arena.allocate((numbers.length + 3) * 4)
  arena.u32.set([...numbers, ...Array.from({ length: 3 }, () => numbers.at(-1))], list >>> 2)
  const rows: { vector: Float32Array; norm: number }[] = []
  column.eachPortion(list, numbers.length, (portion) => {
    for (let i = 0; i < portion.count + 3; i++) {
      const row = arena.u32[(portion.list >>> 2) + i]
      assert.ok(row < portion.count)
      const at = (portion.vectors >>> 2) + row * DIMENSIONS
      const vector = arena.f32.slice(at, at + DIMENSIONS)
      if (i < portion.count) rows.push({ vector, norm: arena.f64[(portion.norms >>> 3) + row] })
    }
  })
  assert.deepEqual(
    rows,
    numbers.map((row) => ({ vector: vectors[row], norm: arena.f64[(column.norms >>> 3) + row] })),
  )
})

test('a column that is freed while its originals move leaves no file open', async () => {
  const arena = new Arena()
  const { column } = columnWith(arena, 30_000)
  const files = filesInMemory()
  let pauses = 0
  const isMoved = await column.moveOriginals(files, () => {
    if (++pauses === 2) column.free()
    return undefined
  })
  assert.deepEqual(
    { isMoved, pauses, open: files.open.size, bytes: column.bytes },
    { isMoved: false, pauses: 2, open: 0, bytes: 0 },
  )
})

test('a column that is paged out takes no memory, and comes back to the last bit', async () => {
  const arena = new Arena()
  const { column, vectors } = columnWith(arena, 1_030)
  column.shrink()
  const [norms, , ...scanned] = contentOf(arena, column)
  const files = filesInMemory()
  const before = arena.used
  assert.equal(await column.layOut(files, () => undefined), true)
  assert.equal(column.fileBytes, 1_030 * DIMENSIONS * 4)
  const { bytes } = column
  assert.equal(bytes, column.pageBytes)
  column.pageOut()
  assert.equal(column.bytes, 0)
  assert.ok(arena.used <= before - bytes)
  // What takes its place must not show.
  const other = arena.allocate(bytes)
  arena.u8.fill(255, other, other + bytes)
  column.pageIn()
  const [pagedNorms, , ...paged] = contentOf(arena, column)
  assert.deepEqual([pagedNorms, ...paged], [norms, ...scanned])
  assert.deepEqual(column.read(1_029), vectors[1_029])
  column.pageOut()
  column.free()
  assert.equal(files.open.size, 0)
})

test('a column that is freed while it is laid out leaves no file open', async () => {
  const arena = new Arena()
  const { column } = columnWith(arena, 1_030)
  const files = filesInMemory()
  const laidOut = column.layOut(files, () => undefined)
  column.free()
  assert.deepEqual([await laidOut, files.open.size, column.bytes], [false, 0, 0])
})

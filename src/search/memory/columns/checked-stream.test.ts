import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { SnapshotDamaged, SnapshotReader, SnapshotWriter } from './checked-stream.ts'
import { inTier } from '../../../../test/support/tier.ts'

interface Values {
  readonly strings: string[]
  readonly numbers: number[]
  readonly bytes: Uint8Array
}

async function fileOf({ strings, numbers, bytes }: Values): Promise<Buffer> {
  const file: Buffer[] = []
  const writer = new SnapshotWriter(async (piece) => void file.push(Buffer.from(piece)))
  await writer.strings(strings)
  await writer.numbers(numbers)
  await writer.array(bytes)
  await writer.end()
  return Buffer.concat(file)
}

async function readFrom(file: Uint8Array): Promise<Values> {
  const read = async (into: Uint8Array, position: number): Promise<number> => {
    const piece = file.subarray(position, position + into.length)
    into.set(piece)
    return piece.length
  }
  const reader = new SnapshotReader(read, file.length)
  const strings = await reader.strings()
  const numbers = await reader.numbers()
  const bytes = await reader.array(Uint8Array)
  await reader.end()
  return { strings, numbers, bytes }
}

/** Values whose bytes are about as many as a frame has, so that each kind may lie on the border of two frames. */
const values = fc.record({
  strings: fc.array(fc.string({ unit: fc.constantFrom('a', 'ß', 'Ω', '\ud800', '\u0000') }), { maxLength: 20 }),
  numbers: fc.array(fc.oneof(fc.double(), fc.integer()), { maxLength: 20 }),
  bytes: fc.oneof(
    fc.uint8Array({ maxLength: 50 }),
    fc.integer({ min: 2 ** 20 - 80, max: 2 ** 20 + 80 }).map((length) => new Uint8Array(length).fill(7)),
  ),
})

test('what is read is what was written: text in any letters, any number, lists across frames', async () => {
  const property = fc.asyncProperty(values, async (some) => {
    assert.deepEqual(await readFrom(await fileOf(some)), { ...some })
  })
  await fc.assert(property, { numRuns: inTier({ gate: 40, all: 150 }) })
})

test('text that begins in one frame goes on in the next', async () => {
  for (let left = 0; left < 24; left++) {
    const strings = ['x'.repeat(2 ** 20 - 12 - left), 'über', 'Ω', '', 'end']
    const some = { strings, numbers: [], bytes: new Uint8Array() }
    assert.deepEqual(await readFrom(await fileOf(some)), some)
  }
})

test('a byte that was flipped, cut off or added anywhere is noticed', async () => {
  const damage = fc.record({
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    how: fc.constantFrom('flip' as const, 'cut' as const, 'remove' as const, 'add' as const),
    bit: fc.nat(7),
  })
  const property = fc.asyncProperty(values, damage, async (some, { at, how, bit }) => {
    const file = await fileOf(some)
    const place = Math.floor(at * file.length)
    const [before, after] = [file.subarray(0, place), file.subarray(place)]
    const flipped = Buffer.from(file)
    flipped[place] ^= 1 << bit
    const damaged = {
      flip: flipped,
      cut: before,
      remove: Buffer.concat([before, after.subarray(1)]),
      add: Buffer.concat([before, Buffer.of(bit), after]),
    }
    await assert.rejects(readFrom(damaged[how]), SnapshotDamaged)
  })
  await fc.assert(property, { numRuns: inTier({ gate: 80, all: 300 }) })
})

test('a file whose end is missing by whole frames is noticed', async () => {
  const file = await fileOf({ strings: [], numbers: [], bytes: new Uint8Array(3 * 2 ** 20) })
  const frame = 2 ** 20 + 16
  for (const frames of [0, 1, 2, 3]) await assert.rejects(readFrom(file.subarray(0, frames * frame)), SnapshotDamaged)
})

test('frames in another order are noticed', async () => {
  const file = await fileOf({ strings: [], numbers: [], bytes: new Uint8Array(3 * 2 ** 20) })
  const frame = 2 ** 20 + 16
  const swapped = Buffer.concat([
    file.subarray(0, frame),
    file.subarray(2 * frame, 3 * frame),
    file.subarray(frame, 2 * frame),
    file.subarray(3 * frame),
  ])
  await assert.rejects(readFrom(swapped), SnapshotDamaged)
})

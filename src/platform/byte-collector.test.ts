import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { ByteCollector } from './byte-collector.ts'
import { ndjsonLines } from './lines/ndjson.ts'

test('pieces of any length come out as one buffer, and the next piece starts another', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 6_000 }), { maxLength: 8 })
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 3 }), (rounds) => {
      const collector = new ByteCollector()
      for (const round of rounds) {
        for (const piece of round) collector.add(piece)
        const whole = Buffer.concat(round)
        assert.equal(collector.length, whole.length)
        assert.ok(collector.take().equals(whole))
      }
    }),
    { numRuns: 100 },
  )
})

test('a line sent byte by byte takes no more memory than its length', async () => {
  const count = 40_000
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const memoryInUse = (): number => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  let growth = 0
  // Like a socket's pieces, each an object of its own.
  async function* pieces(): AsyncGenerator<Uint8Array> {
    const before = memoryInUse()
    for (let i = 0; i < count; i++) yield new Uint8Array([0x31])
    growth = memoryInUse() - before
  }
  const lines: number[] = []
  for await (const { bytes } of ndjsonLines(pieces(), count)) lines.push(bytes)
  assert.deepEqual(lines, [count])
  assert.ok(growth < 20 * count, `${growth} bytes`)
})

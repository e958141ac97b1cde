import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FromHolder, frameParts, FrameReader, type ToHolder } from './frames.ts'

const record = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T>(model, { noNullPrototype: true })
const numbers = fc.array(fc.double({ noNaN: true }), { maxLength: 50 })
const messages: fc.Arbitrary<ToHolder | FromHolder> = fc.oneof(
  record({
    kind: fc.constant('search' as const),
    requests: fc.string({ unit: 'grapheme' }),
    vectors: numbers.map((each) => Float32Array.from(each)),
  }),
  record({
    kind: fc.constant('answers' as const),
    answers: fc.string({ unit: 'grapheme' }),
    numbers: numbers.map((each) => Float64Array.from(each)),
    errors: fc.array(record({ call: fc.nat(), name: fc.string(), message: fc.string() }), { maxLength: 3 }),
  }),
  record({ kind: fc.constant('status' as const), call: fc.nat(), tenantId: fc.option(fc.string()) }),
  record({ kind: fc.constant('here' as const), form: fc.string(), instance: fc.string() }),
)

test('messages arrive as they were sent, however the stream is cut into pieces', () => {
  fc.assert(
    fc.property(
      fc.array(messages, { maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
      (sent, cuts) => {
        const stream = Buffer.concat(sent.flatMap(frameParts))
        const reader = new FrameReader()
        const arrived: unknown[] = []
        for (let at = 0, i = 0; at < stream.length; i++) {
          const bytes = cuts[i % cuts.length]
          arrived.push(...reader.take(Buffer.from(stream.subarray(at, at + bytes))))
          at += bytes
        }
        assert.deepEqual(arrived, sent)
      },
    ),
  )
})

test('what is no message is refused before its bytes are awaited', () => {
  assert.throws(() => new FrameReader().take(Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')), /no message/)
})

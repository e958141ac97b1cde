import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmbeddingRejected } from '../embedder.ts'
import { readAnswer, UnreadableAnswer } from './openai-answer.ts'

function answer(...data: unknown[]): string {
  return JSON.stringify({ object: 'list', data })
}

function base64(...values: number[]): string {
  return Buffer.from(Float32Array.from(values).buffer).toString('base64')
}

test('vectors come back normalised, in the order of the texts, from numbers and from base64', () => {
  const body = answer({ index: 1, embedding: [0, 2] }, { index: 0, embedding: base64(3, 4) })
  assert.deepEqual(readAnswer(body, 2, 2), [Float32Array.of(0.6, 0.8), Float32Array.of(0, 1)])
})

test('items without an index are in the order of the texts', () => {
  const body = answer({ embedding: [1, 0] }, { embedding: [0, 1] })
  assert.deepEqual(readAnswer(body, 2, 0), [Float32Array.of(1, 0), Float32Array.of(0, 1)])
})

test('a vector of zeros stays zeros', () => {
  assert.deepEqual(readAnswer(answer({ index: 0, embedding: [0, 0] }), 1, 2), [Float32Array.of(0, 0)])
})

const nonsense: Readonly<Record<string, string>> = {
  'too few vectors': answer({ index: 0, embedding: [1, 0] }),
  'too many vectors': answer(...[0, 1, 2].map((index) => ({ index, embedding: [1, 0] }))),
  'the same index twice': answer({ index: 0, embedding: [1, 0] }, { index: 0, embedding: [1, 0] }),
  'an index past the end': answer({ index: 0, embedding: [1, 0] }, { index: 2, embedding: [1, 0] }),
  'an index that is no number': answer({ index: 0, embedding: [1, 0] }, { index: '1', embedding: [1, 0] }),
  'other dimensions': answer(...[0, 1].map((index) => ({ index, embedding: [1, 0, 0] }))),
  'an empty vector': answer(...[0, 1].map((index) => ({ index, embedding: [] }))),
  'null for NaN': answer(...[0, 1].map((index) => ({ index, embedding: [null, 1] }))),
  'numbers past float32': answer(...[0, 1].map((index) => ({ index, embedding: [1e300, 1] }))),
  'NaN in base64': answer(...[0, 1].map((index) => ({ index, embedding: base64(Number.NaN, 1) }))),
  'base64 of odd length': answer(...[0, 1].map((index) => ({ index, embedding: base64(1, 1).slice(0, 7) }))),
  'text that is not base64': answer(...[0, 1].map((index) => ({ index, embedding: '!!!!!!!!!!!=' }))),
  'no vector': answer({ index: 0 }, { index: 1 }),
}

for (const [name, body] of Object.entries(nonsense)) {
  test(`an answer with ${name} is refused`, () => {
    assert.throws(() => readAnswer(body, 2, 2), EmbeddingRejected)
  })
}

test('vectors of different lengths are refused when the model’s dimensions are not known', () => {
  const body = answer({ index: 0, embedding: [1, 0] }, { index: 1, embedding: [1, 0, 0] })
  assert.throws(() => readAnswer(body, 2, 0), EmbeddingRejected)
})

test('an answer that is no embeddings answer has an error of its own, which does not quote it', () => {
  for (const body of ['', '<html>secret</html>', '{"data": [{"ind', 'null', '{}', '{"data": {}}', '{"data": [1]}']) {
    assert.throws(
      () => readAnswer(body, 1, 2),
      (error: Error) => error instanceof UnreadableAnswer && !error.message.includes('secret'),
    )
  }
})

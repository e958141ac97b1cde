import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROWS, WORDS, writeTinyModel } from '../../../test/support/embedding/tiny-onnx-model.ts'
import { skipWithout, TRANSFORMERS } from '../../../test/support/optional-programs.ts'
import { NO_READER } from '../contextual/no-reader.ts'
import { createTransformersEmbedder, type TransformersOptions } from './transformers.ts'

const libraryFrom = new URL(`../../../${TRANSFORMERS}/package.json`, import.meta.url).href
const skip = skipWithout('transformers')

let cleanup: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const step of cleanup.reverse()) await step()
  cleanup = []
})

function tinyModel(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tiny-model-'))
  cleanup.push(() => rmSync(folder, { recursive: true, force: true }))
  writeTinyModel(folder, WORDS, ROWS)
  return folder
}

function embedderOf(folder: string, options: Partial<TransformersOptions> = {}) {
  const embedder = createTransformersEmbedder(
    { folder, name: 'tiny', dimensions: null, libraryFrom, ...options },
    NO_READER,
  )
  cleanup.push(() => embedder.close())
  return embedder
}

function close(actual: Float32Array, expected: readonly number[]): void {
  assert.equal(actual.length, expected.length)
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < 1e-6, actual.join(' ')))
}

test('a local model gives the normalised mean of its tokens, whatever else is in the batch', { skip }, async () => {
  const embedder = embedderOf(tinyModel())
  assert.equal(embedder.id, 'transformers:tiny:4')
  assert.equal(embedder.dimensions, 4)
  const [red, both, ...rest] = await embedder.embed(
    ['red', 'Red blue', ...Array.from({ length: 20 }, () => 'blue')],
    'query',
  )
  close(red, [1, 0, 0, 0])
  close(both, [0.6, 0.8, 0, 0])
  assert.equal(rest.length, 20)
  rest.forEach((vector) => close(vector, [0, 1, 0, 0]))
  assert.deepEqual(await embedder.embed([], 'query'), [])
})

test("a text longer than the model's maximum is cut", { skip }, async () => {
  const [vector] = await embedderOf(tinyModel()).embed([`${'red '.repeat(16)}${'blue '.repeat(5_000)}`], 'passage')
  close(vector, [1, 0, 0, 0])
})

test('pooling and prompts come from the model’s own files', { skip }, async () => {
  const folder = tinyModel()
  mkdirSync(join(folder, '1_Pooling'))
  writeFileSync(join(folder, '1_Pooling', 'config.json'), JSON.stringify({ pooling_mode_cls_token: true }))
  const prompts = { query: 'query: ', document: 'passage: ' }
  writeFileSync(join(folder, 'config_sentence_transformers.json'), JSON.stringify({ prompts }))
  const embedder = embedderOf(folder)
  close((await embedder.embed(['red'], 'query'))[0], [0, 0, 1, 0])
  close((await embedder.embed(['red'], 'passage'))[0], [0, 0, 0, 1])
})

test('the last token of each text counts, not the padding of the batch', { skip }, async () => {
  const folder = tinyModel()
  mkdirSync(join(folder, '1_Pooling'))
  writeFileSync(join(folder, '1_Pooling', 'config.json'), JSON.stringify({ pooling_mode_lasttoken: true }))
  const [short, long] = await embedderOf(folder).embed(['red', 'red red blue'], 'passage')
  close(short, [1, 0, 0, 0])
  close(long, [0, 1, 0, 0])
})

test('fewer dimensions keep the first components, normalised again', { skip }, async () => {
  const embedder = embedderOf(tinyModel(), { dimensions: 2 })
  assert.equal(embedder.id, 'transformers:tiny:2')
  close((await embedder.embed(['red blue query'], 'query'))[0], [0.6, 0.8])
  assert.throws(() => embedderOf(tinyModel(), { dimensions: 5 }), { message: /EMBEDDING_DIMENSIONS must be at most 4/ })
})

test('an aborted call does not run the model', { skip }, async () => {
  await assert.rejects(embedderOf(tinyModel()).embed(['red'], 'query', AbortSignal.abort()), { name: 'AbortError' })
})

test('a damaged model is unavailable and can be repaired while the service runs', { skip }, async () => {
  const folder = tinyModel()
  writeFileSync(join(folder, 'onnx', 'model.onnx'), 'not a model')
  const embedder = embedderOf(folder)
  await assert.rejects(embedder.embed(['red'], 'query'), { name: 'EmbeddingUnavailable', message: /EMBEDDING_MODEL/ })
  writeTinyModel(folder, WORDS, ROWS)
  close((await embedder.embed(['red'], 'query'))[0], [1, 0, 0, 0])
})

test('without the library and the runtime the error says what to install', () => {
  const elsewhere = pathToFileURL(join(tinyModel(), 'package.json')).href
  assert.throws(() => embedderOf(tinyModel(), { libraryFrom: elsewhere }), {
    message: /^EMBEDDING_PROVIDER.*onnxruntime-node is not installed: npm ci .*npm install @huggingface\/transformers/,
  })
})

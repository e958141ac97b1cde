import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { BOTH_ID, CONTEXTUAL_ID, STATIC_ID } from './builtin/ids.ts'
import { NO_READER } from './contextual/no-reader.ts'
import type { TextReader } from './contextual/reader.ts'
import type { EmbeddingSettings } from './provider.ts'
import * as providers from './providers.ts'

const builtin: EmbeddingSettings = { provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null }
const openai: EmbeddingSettings = { ...builtin, provider: 'openai', url: 'http://localhost:1/v1', model: 'bge:m3' }

const present: TextReader = { ...NO_READER, absence: null }
const createEmbedder = (settings: EmbeddingSettings, reader = present) => providers.createEmbedder(settings, reader)
const createEmbedderFor = (id: string, settings: EmbeddingSettings) =>
  providers.createEmbedderFor(id, settings, present)

test('the built-in models need no settings, and both together are the default', () => {
  assert.equal(createEmbedder(builtin).id, BOTH_ID)
  for (const [model, id, dimensions] of [
    ['both', BOTH_ID, 512],
    ['contextual-eu-v1', CONTEXTUAL_ID, 384],
    ['static-de-en-v2', STATIC_ID, 256],
  ] as const) {
    assert.equal(createEmbedder({ ...builtin, model }).id, id)
    assert.equal(createEmbedder({ ...builtin, model, dimensions }).id, id)
    assert.equal(createEmbedderFor(id, builtin)?.dimensions, dimensions)
  }
})

test('where nothing can read, the static model takes the place of one that needs it', () => {
  for (const model of [null, 'both', 'contextual-eu-v1', 'static-de-en-v2'])
    assert.equal(createEmbedder({ ...builtin, model }, NO_READER).id, STATIC_ID)
  assert.throws(
    () => createEmbedder({ ...builtin, dimensions: 256 }, NO_READER),
    /^Error: EMBEDDING_DIMENSIONS .* 512 /,
  )
})

test('a provider that is down does not keep the service from starting', async () => {
  const embedder = createEmbedder({ ...openai, dimensions: 1_024, apiKey: 'sk-1' })
  assert.equal(embedder.id, 'openai:bge:m3:1024')
  assert.equal(embedder.dimensions, 1_024)
  await embedder.close()
})

const emptyFolder = mkdtempSync(join(tmpdir(), 'no-model-'))
process.on('exit', () => rmSync(emptyFolder, { recursive: true, force: true }))

const faulty: readonly (readonly [string, Partial<EmbeddingSettings>])[] = [
  ['EMBEDDING_PROVIDER', { ...builtin, provider: 'other' }],
  ['EMBEDDING_MODEL', { ...builtin, model: 'bge-m3' }],
  ['EMBEDDING_MODEL', { ...builtin, model: 'static-de-en-v1' }],
  ['EMBEDDING_DIMENSIONS', { ...builtin, dimensions: 128 }],
  ['EMBEDDING_URL', { ...openai, url: null }],
  ['EMBEDDING_URL', { ...openai, url: 'localhost:11434' }],
  ['EMBEDDING_URL', { ...openai, url: 'ftp://localhost/v1' }],
  ['EMBEDDING_URL', { ...openai, url: 'http://user:secret@localhost/v1' }],
  ['EMBEDDING_URL', { ...openai, url: 'http://localhost/v1/embeddings' }],
  ['EMBEDDING_MODEL', { ...openai, model: null }],
  ['EMBEDDING_API_KEY', { ...openai, apiKey: 'sk secret\n' }],
  ['EMBEDDING_DIMENSIONS', { ...openai, dimensions: 0 }],
  ['EMBEDDING_DIMENSIONS', { ...openai, dimensions: 8_193 }],
  ['EMBEDDING_DIMENSIONS', { ...openai, dimensions: 1.5 }],
  ['EMBEDDING_MODEL', { ...builtin, provider: 'transformers' }],
  ['EMBEDDING_MODEL', { ...builtin, provider: 'transformers', model: join(emptyFolder, 'absent') }],
]

for (const [name, settings] of faulty) {
  test(`wrong settings are refused with the name ${name}: ${JSON.stringify(settings)}`, () => {
    assert.throws(
      () => createEmbedder({ ...builtin, ...settings }),
      (error: Error) => error.message.startsWith(name) && !error.message.includes('secret'),
    )
  })
}

test('the embedder of stored vectors is found wherever the settings can reach its model', async () => {
  for (const id of [
    STATIC_ID,
    CONTEXTUAL_ID,
    BOTH_ID,
    'openai:bge:m3:default',
    'openai:nomic-embed-text:latest:768',
    'openai:a/b:8',
  ]) {
    const embedder = createEmbedderFor(id, openai)
    assert.equal(embedder?.id, id)
    await embedder?.close()
  }
})

test('the embedder of vectors that were made with other prefixes puts those in front of queries', async () => {
  const plain = createEmbedder(openai)
  const e5 = createEmbedder({ ...openai, queryPrefix: 'query: ', passagePrefix: 'passage: ' })
  const typed = createEmbedder({ ...openai, inputTypes: { query: 'query', passage: 'document' } })
  const ids = [plain, e5, typed].map(({ id }) => id)
  assert.equal(new Set(ids).size, 3)
  assert.equal(ids[0], 'openai:bge:m3:default')
  for (const settings of [openai, { ...openai, queryPrefix: 'search_query: ' }]) {
    for (const id of ids) {
      const embedder = createEmbedderFor(id, settings)
      assert.equal(embedder?.id, id)
      await embedder?.close()
    }
  }
  for (const embedder of [plain, e5, typed]) await embedder.close()
})

test('an id whose model the settings cannot reach has no embedder', () => {
  assert.equal(createEmbedderFor('openai:bge:m3:default', builtin), null)
  assert.equal(createEmbedderFor('openai:m:0', openai), null)
  assert.equal(createEmbedderFor('openai:m:08', openai), null)
  assert.equal(createEmbedderFor('builtin:static-de-en-v1:256', builtin), null)
  const local: EmbeddingSettings = { ...builtin, provider: 'transformers', model: emptyFolder }
  assert.equal(createEmbedderFor('transformers:gone:384', local), null)
  for (const id of ['', 'openai', 'openai:m', 'other:m:1', 'constructor:m:1', 'transformers:x:default']) {
    assert.equal(createEmbedderFor(id, openai), null)
  }
})

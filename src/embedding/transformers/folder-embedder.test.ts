import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ROWS, WORDS, writeTinyModel } from '../../../test/support/embedding/tiny-onnx-model.ts'
import { FOLDER } from '../contextual/availability.ts'
import { Readers } from '../contextual/readers.ts'
import { ReaderRelay, RelayedReader } from '../contextual/relayed-reader.ts'
import type { TextReader } from '../contextual/reader.ts'
import { createFolderEmbedder } from './folder-embedder.ts'
import { readModelFolder } from './transformers-folder.ts'

const OWN = fileURLToPath(FOLDER)

/** Lays the model that ships with the service out as a repository of Hugging Face. */
function layOut(folder: string): void {
  mkdirSync(join(folder, 'onnx'))
  symlinkSync(join(OWN, 'model.onnx'), join(folder, 'onnx/model_int8.onnx'))
  symlinkSync(join(OWN, 'tokenizer.json'), join(folder, 'tokenizer.json'))
  const { hidden_size, prefix: prompts } = JSON.parse(readFileSync(join(OWN, 'config.json'), 'utf8'))
  const files = {
    'config.json': { model_type: 'bert', hidden_size, max_position_embeddings: 512 },
    'tokenizer_config.json': { model_max_length: 512 },
    'config_sentence_transformers.json': { prompts },
  }
  for (const [name, value] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(value))
}

describe('a model in a folder, without another library', () => {
  const root = mkdtempSync(join(tmpdir(), 'folder-embedder-'))
  const log: string[] = []
  const readers = new Readers({ threads: 1, log: { warn: (_details, message) => void log.push(message) } })
  after(async () => {
    await readers.close()
    rmSync(root, { recursive: true, force: true })
  })

  function tiny(name: string, moreInputs: readonly string[] = []): string {
    const folder = join(root, name)
    writeTinyModel(folder, WORDS, ROWS, moreInputs)
    return folder
  }
  const embedderOf = (folder: string, reader: TextReader = readers, dimensions?: number) => {
    const model = readModelFolder(folder)
    return createFolderEmbedder('tiny', model, dimensions ?? model.dimensions, reader)
  }
  const close = (actual: Float32Array, expected: readonly number[]) => {
    assert.equal(actual.length, expected.length)
    expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < 1e-6, actual.join(' ')))
  }

  test('the model that ships with the service has there the vectors that it has built in, also in another thread', async () => {
    const folder = mkdtempSync(join(root, 'own-'))
    layOut(folder)
    // The thread of the queue reads through the one that answers.
    const relayed: RelayedReader = new RelayedReader(null, (report) => relay.receive(report))
    const relay = new ReaderRelay(readers, (order) => relayed.receive(order))
    const texts = [
      'Wie setze ich mein Passwort zurück?',
      'Urlaub\n\nDer Urlaub wird in der Personalabteilung beantragt.',
    ]
    for (const reader of [readers, relayed]) {
      const embedder = embedderOf(folder, reader)
      assert.equal(embedder.id, 'transformers:tiny:384')
      await embedder.prepare!()
      for (const purpose of ['query', 'passage'] as const) {
        let tokens = 0
        const vectors = await embedder.embed(texts, purpose, undefined, (count) => (tokens += count))
        assert.deepEqual({ vectors, tokens }, await readers.read(texts, purpose))
      }
    }
  })

  test('the mean of the tokens counts, or the first or the last one, as the model says', async () => {
    for (const [mode, expected] of [
      ['mean', [0.6, 0.8, 0, 0]],
      ['cls', [1, 0, 0, 0]],
      ['lasttoken', [0, 1, 0, 0]],
    ] as const) {
      const folder = tiny(mode)
      mkdirSync(join(folder, '1_Pooling'))
      const flag =
        mode === 'mean'
          ? 'pooling_mode_mean_tokens'
          : mode === 'cls'
            ? 'pooling_mode_cls_token'
            : 'pooling_mode_lasttoken'
      writeFileSync(join(folder, '1_Pooling/config.json'), JSON.stringify({ [flag]: true }))
      close((await embedderOf(folder).embed(['Red blue'], 'query'))[0], expected)
    }
  })

  test('a graph gets the inputs that it asks for; one that asks for others is told apart', async () => {
    close(
      (await embedderOf(tiny('more', ['token_type_ids', 'position_ids'])).embed(['blue'], 'query'))[0],
      [0, 1, 0, 0],
    )
    await assert.rejects(embedderOf(tiny('cached', ['past_key_values.0.key'])).embed(['blue'], 'query'), {
      name: 'EmbeddingUnavailable',
      message: /^the model in the folder of EMBEDDING_MODEL cannot be loaded: .*past_key_values\.0\.key$/,
    })
    assert.deepEqual(log, ['the model in the folder of EMBEDDING_MODEL cannot be loaded'])
  })

  test('a text of more tokens than the model takes is cut, and fewer components are normalised again', async () => {
    const long = `${'red '.repeat(16)}${'blue '.repeat(1_000)}`
    const folder = tiny('long')
    close((await embedderOf(folder).embed([long], 'passage'))[0], [1, 0, 0, 0])
    const shortened = embedderOf(folder, readers, 2)
    assert.equal(shortened.id, 'transformers:tiny:2')
    close((await shortened.embed(['red blue query'], 'query'))[0], [0.6, 0.8])
    close((await shortened.embed([' '], 'query'))[0], [0, 0])
  })

  test('a model of another width than its config.json says is refused', async () => {
    const folder = tiny('width')
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ hidden_size: 8 }))
    await assert.rejects(embedderOf(folder).embed(['red'], 'query'), {
      name: 'EmbeddingRejected',
      message: 'the model in the folder of EMBEDDING_MODEL gave float32 [1,1,4] and not float32 [1,1,8]',
    })
  })
})

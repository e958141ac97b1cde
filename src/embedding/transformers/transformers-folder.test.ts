import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeTinyModel } from '../../../test/support/embedding/tiny-onnx-model.ts'
import { readModelFolder } from './transformers-folder.ts'

const root = mkdtempSync(join(tmpdir(), 'model-folder-'))
after(() => rmSync(root, { recursive: true, force: true }))

function model(name: string): string {
  const folder = join(root, name)
  writeTinyModel(folder, ['[PAD]', '[UNK]'], [[1], [1]])
  return folder
}

test('a folder without files of sentence-transformers gets mean pooling and no prompts', () => {
  const folder = model('plain')
  assert.deepEqual(readModelFolder(folder), {
    folder,
    dimensions: 1,
    pooling: 'mean',
    prompts: { query: '', passage: '' },
    file: 'onnx/model.onnx',
    dtype: 'fp32',
    tokensMax: 16,
  })
})

for (const file of ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model.onnx']) {
  test(`a folder without ${file} is refused, and the error names the file`, () => {
    const folder = model(`without-${file.replace('/', '-')}`)
    rmSync(join(folder, file))
    assert.throws(
      () => readModelFolder(folder),
      (error: Error) => error.message.startsWith('EMBEDDING_MODEL') && error.message.includes(file),
    )
  })
}

test('a text may have as many tokens as both the tokenizer and the model allow, and 512 where neither says', () => {
  const folder = model('bounds')
  const bound = (tokenizer: object, config: object): number => {
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(tokenizer))
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ hidden_size: 1, ...config }))
    return readModelFolder(folder).tokensMax
  }
  assert.equal(bound({ model_max_length: 512 }, { max_position_embeddings: 514 }), 512)
  assert.equal(bound({ model_max_length: 1e30 }, { max_position_embeddings: 8_192 }), 8_192)
  assert.equal(bound({ model_max_length: 1e30 }, {}), 512)
})

test('the smaller model is used if it is the only one', () => {
  const folder = model('quantized')
  rmSync(join(folder, 'onnx', 'model.onnx'))
  writeFileSync(join(folder, 'onnx', 'model_quantized.onnx'), '')
  assert.equal(readModelFolder(folder).dtype, 'q8')
})

for (const [fault, text] of [
  ['not JSON', '{'],
  ['not an object', '[]'],
  ['without a width', '{}'],
] as const) {
  test(`a config.json that is ${fault} is refused`, () => {
    const folder = model(fault)
    writeFileSync(join(folder, 'config.json'), text)
    assert.throws(() => readModelFolder(folder), { message: /^EMBEDDING_MODEL.*config\.json/ })
  })
}

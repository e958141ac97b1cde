import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Words of a tiny model: padding and the unknown one first. */
export const WORDS = ['[PAD]', '[UNK]', 'red', 'blue', 'query', 'passage', ':']
/** A row for each of the words. */
export const ROWS = [
  [9, 9, 9, 9],
  [0, 0, 0, 1],
  [3, 0, 0, 0],
  [0, 4, 0, 0],
  [0, 0, 5, 0],
  [0, 0, 0, 5],
  [0, 0, 0, 0],
]

/**
 * Writes a tiny model in the layout of local models: a tokenizer that knows `words`, and an ONNX graph that looks up
 * one row of `rows` per token.
 * @param moreInputs further inputs that the graph asks for, and does not use
 */
export function writeTinyModel(
  folder: string,
  words: readonly string[],
  rows: readonly (readonly number[])[],
  moreInputs: readonly string[] = [],
): void {
  mkdirSync(join(folder, 'onnx'), { recursive: true })
  writeJson(folder, 'config.json', { model_type: 'bert', hidden_size: rows[0].length })
  writeJson(folder, 'tokenizer_config.json', {
    tokenizer_class: 'PreTrainedTokenizerFast',
    model_max_length: 16,
    pad_token: words[0],
    unk_token: words[1],
  })
  const special = words.slice(0, 2).map((content, id) => ({ id, content, special: true, normalized: false }))
  writeJson(folder, 'tokenizer.json', {
    version: '1.0',
    added_tokens: special.map((token) => ({ ...token, single_word: false, lstrip: false, rstrip: false })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: { type: 'WordLevel', unk_token: words[1], vocab: Object.fromEntries(words.map((word, id) => [word, id])) },
  })
  writeFileSync(join(folder, 'onnx', 'model.onnx'), lookupModel(rows, moreInputs))
}

function writeJson(folder: string, name: string, value: object): void {
  writeFileSync(join(folder, name), JSON.stringify(value))
}

const FLOAT = 1
const INT64 = 7

/** Returns the ONNX file: `last_hidden_state = Gather(table, input_ids)`. Field numbers are those of onnx.proto3. */
function lookupModel(rows: readonly (readonly number[])[], moreInputs: readonly string[]): Buffer {
  const table = Buffer.concat([
    number(1, rows.length),
    number(1, rows[0].length),
    number(2, FLOAT),
    text(8, 'table'),
    bytes(9, Buffer.from(Float32Array.from(rows.flat()).buffer)),
  ])
  const gather = [text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather')]
  const graph = [
    bytes(1, Buffer.concat(gather)),
    text(2, 'lookup'),
    bytes(5, table),
    ...['input_ids', 'attention_mask', ...moreInputs].map((name) =>
      bytes(11, valueInfo(name, INT64, ['batch', 'sequence'])),
    ),
    bytes(12, valueInfo('last_hidden_state', FLOAT, ['batch', 'sequence', rows[0].length])),
  ]
  const opset = bytes(8, number(2, 13))
  return Buffer.concat([number(1, 8), bytes(7, Buffer.concat(graph)), opset])
}

function valueInfo(name: string, elementType: number, shape: readonly (string | number)[]): Buffer {
  const dims = shape.map((dim) => bytes(1, typeof dim === 'string' ? text(2, dim) : number(1, dim)))
  const tensor = Buffer.concat([number(1, elementType), bytes(2, Buffer.concat(dims))])
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensor))])
}

/**
 * Returns a field with a number. In protocol buffers a field's key is its number and wire type: 0 for numbers, 2 for
 * values with a length.
 */
function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)])
}

function bytes(field: number, value: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(value.length), value])
}

function text(field: number, value: string): Buffer {
  return bytes(field, Buffer.from(value))
}

function varint(value: number): Buffer {
  const out: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) out.push((rest & 127) | 128)
  return Buffer.from([...out, rest])
}

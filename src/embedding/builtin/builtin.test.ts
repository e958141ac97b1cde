import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { anyCharacter } from '../../../test/support/any-character.ts'
import { unlessItHangs } from '../../../test/support/patience.ts'
import { inTier } from '../../../test/support/tier.ts'
import { BUILTIN_ID, createBuiltinEmbedder } from './builtin.ts'
import { MODEL, sharedStaticModel } from './static-model.ts'

interface ReferenceCase {
  readonly text?: string
  readonly repeat?: { readonly text: string; readonly times: number }
  readonly ids?: readonly number[]
  readonly first_ids?: readonly number[]
  readonly count: number
  readonly mean_norm: number
  readonly unit_first8: readonly number[]
}

interface Reference {
  readonly tolerance: { readonly mean_norm_relative: number; readonly unit_first8_absolute: number }
  readonly cases: readonly ReferenceCase[]
}

const model = sharedStaticModel()

function fileOfModel(file: string): string {
  return readFileSync(new URL(`../../../models/${MODEL}/${file}`, import.meta.url), 'utf8')
}

function textOf(example: ReferenceCase): string {
  return example.text ?? example.repeat!.text.repeat(example.repeat!.times)
}

const reference = JSON.parse(fileOfModel('reference.json')) as Reference

test('the reference of the model has all its cases', () => {
  assert.equal(reference.cases.length, 52)
})

for (const [index, example] of reference.cases.entries()) {
  const text = textOf(example)
  test(`reference case ${index} (${text.slice(0, 40)}) gives the ids and vector of its author`, () => {
    const ids = [...model.tokenize(text)]
    assert.equal(ids.length, example.count)
    if (example.ids) assert.deepEqual(ids, example.ids)
    if (example.first_ids) assert.deepEqual(ids.slice(0, example.first_ids.length), example.first_ids)
    const norm = Math.hypot(...model.meanOf(Int32Array.from(ids)))
    const { mean_norm_relative: relative, unit_first8_absolute: absolute } = reference.tolerance
    assert.ok(Math.abs(norm - example.mean_norm) <= relative * example.mean_norm, `norm ${norm}`)
    const vector = model.embed(text)
    example.unit_first8.forEach((expected, i) => {
      assert.ok(Math.abs(vector[i] - expected) <= absolute, `component ${i}: ${vector[i]}, expected ${expected}`)
    })
  })
}

test('every text gives a vector of length one, or zeros when it has no known piece', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), fc.lorem())
  fc.assert(
    fc.property(text, (text) => {
      const length = Math.hypot(...model.embed(text))
      const expected = model.tokenize(text).length === 0 ? 0 : 1
      assert.ok(Math.abs(length - expected) < 1e-6, `length ${length}`)
    }),
    { numRuns: inTier({ gate: 100, all: 500 }) },
  )
})

/**
 * Returns the ids of a text by the rules of the model card, in slow and simple code. The tokenizer must agree with it.
 */
function tokenizeByTheCard(text: string, ids: ReadonlyMap<string, number>): number[] {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' })[letter]!)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
  const pieceIds: number[] = []
  for (const [run] of plain.matchAll(/\p{L}+|\p{N}+/gu)) {
    const characters = Array.from(run)
    for (let at = 0; at < characters.length;) {
      let length = Math.min(24, characters.length - at)
      for (; length > 0; length--) {
        const piece = characters.slice(at, at + length).join('')
        const id = at === 0 ? ids.get(piece) : (ids.get(`##${piece}`) ?? (length >= 4 ? ids.get(piece) : undefined))
        if (id === undefined) continue
        pieceIds.push(id)
        break
      }
      at += Math.max(1, length)
    }
  }
  return pieceIds.slice(0, 2_048)
}

test('any text gets the tokens that the rules of the model card give', () => {
  const pieces = fileOfModel('vocab.txt').trimEnd().split('\n')
  const ids = new Map(pieces.map((piece, id) => [piece, id]))
  const listedPiece = fc.constantFrom(
    ...pieces.slice(0, 5_000),
    'Übergröße',
    'ﬁx',
    '𝐀𝐁𝟛',
    '𐌰𐌱a',
    '١٢٣',
    'İi',
    '가나',
    'q\u0308',
  )
  const word = fc.oneof(
    { weight: 3, arbitrary: listedPiece },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
  )
  const text = fc
    .array(fc.tuple(word, fc.constantFrom('', '', ' ', '-')), { maxLength: 20 })
    .map((words) => words.flat().join(''))
  fc.assert(
    fc.property(text, (text) => assert.deepEqual([...model.tokenize(text)], tokenizeByTheCard(text, ids))),
    { numRuns: inTier({ gate: 200, all: 1_000 }) },
  )
})

test('a million characters without a space take linear time', () => {
  for (const text of [
    'x'.repeat(1_000_000),
    'ü'.repeat(1_000_000),
    '漢'.repeat(1_000_000),
    'e\u0323\u0301'.repeat(333_000),
  ]) {
    assert.ok(unlessItHangs(() => model.tokenize(text)).length <= 2_048)
  }
})

test('a million combining marks, which Unicode reorders in quadratic time, are cut before normalising', (t) => {
  // Nothing could end the work of a million of them.
  const { normalize } = String.prototype
  t.mock.method(String.prototype, 'normalize', function (this: string, form?: string) {
    assert.ok(this.length < 100, `${this.length} characters are normalised`)
    return normalize.call(this, form)
  })
  const text = `Passwort${'\u0301\u0316'.repeat(500_000)} vergessen`
  assert.deepEqual([...model.tokenize(text)], [...model.tokenize('Passwort vergessen')])
})

test('the embedder answers in the order of the texts under its documented id', async () => {
  const embedder = createBuiltinEmbedder()
  assert.equal(embedder.id, BUILTIN_ID)
  assert.equal(embedder.id, `builtin:${model.name}:${model.dimensions}`)
  assert.equal(embedder.dimensions, model.dimensions)
  assert.deepEqual(await embedder.embed([], 'passage'), [])
  const texts = ['Passwort vergessen', '', 'reset my password']
  assert.deepEqual(
    await embedder.embed(texts, 'query'),
    texts.map((text) => model.embed(text)),
  )
  await embedder.close()
})

test('the title of a passage counts twice', async () => {
  const embedder = createBuiltinEmbedder()
  const [passage] = await embedder.embed(['Passwort vergessen\n\nNeu anfordern'], 'passage')
  assert.deepEqual(passage, model.embed('Passwort vergessen Passwort vergessen Neu anfordern'))
  assert.deepEqual(await embedder.embed(['Neu anfordern'], 'passage'), await embedder.embed(['Neu anfordern'], 'query'))
})

test('an aborted call does not embed', async () => {
  await assert.rejects(createBuiltinEmbedder().embed(['text'], 'query', AbortSignal.abort()), { name: 'AbortError' })
})

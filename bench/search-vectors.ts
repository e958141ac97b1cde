/**
 * Makes the vectors of the search benchmark: 384 dimensions that depend on the text like those of a model. 256 come
 * from the built-in model, 128 from a random projection of the text's words (Achlioptas, Database-friendly random
 * projections, JCSS 2003). All texts share one component, so cosines are as close together as those of real models,
 * whose vectors lie in a cone.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { sharedStaticModel } from '../src/embedding/builtin/static-model.ts'
import { splitPassages } from '../src/embedding/passages.ts'
import { ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from '../src/search/analysis/function-words.ts'
import type { BenchEntry } from './search-corpus.ts'
import { hashText, randomSource } from './support/random.ts'

export const DIMENSIONS = 384
const MODEL_DIMENSIONS = 256
const PROJECTED_DIMENSIONS = DIMENSIONS - MODEL_DIMENSIONS
const FUNCTION_WORD_WEIGHT = 0.2
/** Share of a vector's squared length that all texts have in common. */
const COMMON = 0.3

interface Texts {
  readonly entries: readonly Pick<BenchEntry, 'title' | 'content'>[]
  readonly queries: readonly string[]
}

/**
 * Embeds every text for which the service will want a vector, and writes the vectors to a file.
 * @returns the number of vectors
 */
export function writeVectors(file: string, { entries, queries }: Texts): number {
  const passages = entries.flatMap(({ title, content }) => splitPassages(title, content).map((passage) => passage.text))
  const texts = [...new Set([...passages, ...queries])]
  const embed = textEmbedder()
  const bytes = Buffer.alloc(texts.length * (8 + DIMENSIONS * 4))
  for (const [i, text] of texts.entries()) {
    const at = i * (8 + DIMENSIONS * 4)
    bytes.writeDoubleLE(hashText(text), at)
    for (const [d, value] of embed(text).entries()) bytes.writeFloatLE(value, at + 8 + 4 * d)
  }
  writeFileSync(file, bytes)
  return texts.length
}

/** Reads a file from `writeVectors`: the little-endian float32 components by the text's hash. */
export function readVectors(file: string): Map<number, Buffer> {
  const bytes = readFileSync(file)
  const vectors = new Map<number, Buffer>()
  for (let at = 0; at < bytes.length; at += 8 + DIMENSIONS * 4) {
    vectors.set(bytes.readDoubleLE(at), bytes.subarray(at + 8, at + 8 + DIMENSIONS * 4))
  }
  return vectors
}

/** Returns a function that makes the vector of a text. */
export function textEmbedder(): (text: string) => Float32Array {
  const model = sharedStaticModel()
  const rows = new Map<string, Float32Array>()
  const common = unit(Float32Array.from({ length: DIMENSIONS }, signs(1)))
  return (text) => {
    const vector = new Float32Array(DIMENSIONS)
    vector.set(model.embed(text))
    vector.set(unit(project(text, rows)), MODEL_DIMENSIONS)
    // Each part is weighted by its number of dimensions.
    for (let i = 0; i < DIMENSIONS; i++) {
      const share = i < MODEL_DIMENSIONS ? MODEL_DIMENSIONS : PROJECTED_DIMENSIONS
      vector[i] = vector[i] * Math.sqrt((share / DIMENSIONS) * (1 - COMMON)) + common[i] * Math.sqrt(COMMON)
    }
    return unit(vector)
  }
}

function project(text: string, rows: Map<string, Float32Array>): Float32Array {
  const sum = new Float32Array(PROJECTED_DIMENSIONS)
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    let row = rows.get(word)
    if (row === undefined) {
      const weight = GERMAN_FUNCTION_WORDS.has(word) || ENGLISH_FUNCTION_WORDS.has(word) ? FUNCTION_WORD_WEIGHT : 1
      const sign = signs(hashText(word))
      rows.set(word, (row = Float32Array.from({ length: PROJECTED_DIMENSIONS }, () => weight * sign())))
    }
    for (let i = 0; i < PROJECTED_DIMENSIONS; i++) sum[i] += row[i]
  }
  return sum
}

function signs(seed: number): () => number {
  const random = randomSource(seed)
  return () => (random() < 0.5 ? -1 : 1)
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return length === 0 ? vector : vector.map((value) => value / length)
}

/**
 * Measures how fast texts become vectors: the built-in model in one thread, and splitting into passages. The texts are
 * drawn from the model's vocabulary with a fixed seed. They mix whole words and pieces like ordinary text (about 1.3
 * pieces a word) and include German umlauts.
 */
import { readFileSync } from 'node:fs'
import { MODEL, sharedStaticModel } from '../src/embedding/builtin/static-model.ts'
import { splitPassages } from '../src/embedding/passages.ts'

const QUERIES = 20_000
const TEXTS = 10_000

const loadStarted = performance.now()
const model = sharedStaticModel()
console.log(`load the model           ${(performance.now() - loadStarted).toFixed(0)} ms`)

const word = wordSource(1)
const queries = Array.from({ length: QUERIES }, () => textOf(10))
const texts = Array.from({ length: TEXTS }, () => textOf(120))
const long = Array.from({ length: 1_000_000 / 800 }, () => `## ${textOf(4)}\n\n${textOf(100)}`)
  .join('\n\n')
  .slice(0, 1_000_000)

for (const query of queries.slice(0, 2_000)) model.embed(query)
const perQuery = (measure(() => queries.forEach((query) => model.embed(query))) / QUERIES) * 1_000
const tokens = texts.reduce((sum, text) => sum + model.tokenize(text).length, 0) / TEXTS
const allTexts = measure(() => texts.forEach((text) => model.embedTitled(text)))
let passages = 0
const split = measure(() => (passages = splitPassages('Title', long).length))

console.log(`query of 10 words        ${perQuery.toFixed(1)} µs (required: under 50)`)
console.log(
  `10,000 texts, 120 words  ${(allTexts / 1_000).toFixed(2)} s (required: under 3), ${tokens.toFixed(0)} pieces each`,
)
console.log(`split 1,000,000 chars    ${split.toFixed(0)} ms, ${passages} passages`)
if (perQuery >= 50 || allTexts >= 3_000) process.exitCode = 1

function measure(work: () => unknown): number {
  const started = performance.now()
  work()
  return performance.now() - started
}

function textOf(words: number): string {
  return Array.from({ length: words }, word).join(' ')
}

/**
 * Returns a source of words of the vocabulary, frequent ones (with low ids) more often; some joined to compounds, some
 * with umlauts.
 */
function wordSource(seed: number): () => string {
  const vocabulary = readFileSync(new URL(`../models/${MODEL}/vocab.txt`, import.meta.url), 'utf8')
  const words = vocabulary.split('\n').filter((piece) => /^[a-z]{2,}$/.test(piece))
  const random = randomSource(seed)
  const pick = () => words[Math.floor(random() ** 2 * words.length)]
  return () => {
    const plain = random() < 0.2 ? pick() + pick() : pick()
    return random() < 0.1 ? plain.replace(/[aou]e?/, 'ü') : plain
  }
}

/** Returns a source of the same numbers in every run: Mulberry32 (T. Ettinger, public domain). */
function randomSource(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

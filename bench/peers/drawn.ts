/**
 * Makes the collection of made-up entries: text and vectors of the search benchmark, each entry short enough for one
 * vector.
 */
import { join } from 'node:path'
import { splitPassages } from '../../src/embedding/passages.ts'
import { makeCorpus } from '../search-corpus.ts'
import { DIMENSIONS, readVectors, writeVectors } from '../search-vectors.ts'
import { hashText } from '../support/random.ts'
import type { Collection } from './collection.ts'
import { phrasesOf } from './phrases.ts'

/** Factor of entries to make, because about one in a hundred has a second vector and is left out. */
const SPARE = 1.1

/**
 * Makes the collection.
 * @param folder for the file of vectors
 */
export function drawnCollection(size: number, queryCount: number, folder: string): Collection {
  const corpus = makeCorpus(Math.ceil(size * SPARE), queryCount)
  const isWhole = ({ title, content }: { title: string; content: string }): boolean =>
    splitPassages(title, content).length === 1
  const entries = corpus.entries
    .filter(isWhole)
    .slice(0, size)
    .map(({ title, content, language }) => ({ title, content, language }))
  if (entries.length < size) throw new Error(`Only ${entries.length} of ${size} drawn entries have one vector`)
  const vectorFile = join(folder, 'texts.bin')
  writeVectors(vectorFile, { entries, queries: corpus.queries })
  const vectors = readVectors(vectorFile)
  const vectorOfText = (text: string): Float32Array => {
    const bytes = vectors.get(hashText(text))!
    return Float32Array.from({ length: DIMENSIONS }, (_, i) => bytes.readFloatLE(4 * i))
  }
  return {
    name: 'drawn',
    dimensions: DIMENSIONS,
    entries,
    vectorOf: (entry) => vectorOfText(splitPassages(entries[entry].title, entries[entry].content)[0].text),
    queries: corpus.queries,
    phrases: phrasesOf(entries, queryCount),
    queryVector: vectorOfText,
    vectorFile,
  }
}

/** An analysed document as a replica keeps it, so that ranking it needs no analysis. */
import { decodeVectors, encodeVector } from '../../embedding/vector-codec.ts'
import type { Partition } from '../analysis/analysis.ts'
import type { IndexDocument } from '../engine.ts'
import type { PreparedDocument } from '../memory/segment.ts'
import { lexemeOf } from './lexemes.ts'

/** What the JSON in front of the vectors has. */
interface Head {
  readonly document: Omit<IndexDocument, 'text' | 'passages'>
  readonly partition: Partition
  readonly terms: readonly string[]
  readonly frequencies: readonly number[]
  /** Places in `terms`. */
  readonly named: readonly number[]
  readonly length: number
  readonly nameLength: number
  /** Start and end of each passage. */
  readonly places: readonly number[]
}

/** Length of the JSON (4 bytes), the JSON, and the vectors as float32 end to end. */
export function encodeDocument({
  document,
  partition,
  frequencies,
  nameTerms,
  length,
  nameLength,
}: PreparedDocument): Buffer {
  const { text: _text, passages, ...rest } = document
  const terms = [...frequencies.keys()]
  const head: Head = {
    document: rest,
    partition,
    terms,
    frequencies: [...frequencies.values()],
    named: terms.flatMap((term, place) => (nameTerms.has(term) ? [place] : [])),
    length,
    nameLength,
    places: passages.flatMap(({ start, end }) => [start, end]),
  }
  const json = Buffer.from(JSON.stringify(head))
  const size = Buffer.alloc(4)
  size.writeUInt32LE(json.byteLength)
  return Buffer.concat([size, json, ...passages.map(({ vector }) => encodeVector(vector))])
}

/** @param wanted the words to keep, as in `lexemeOf`: a search needs no others */
export function decodeDocument(stored: Buffer, wanted: ReadonlySet<string>): PreparedDocument {
  const end = 4 + stored.readUInt32LE()
  const head = JSON.parse(stored.toString('utf8', 4, end)) as Head
  const { document, partition, terms, length, nameLength, places } = head
  const frequencies = new Map<string, number>()
  for (const [place, term] of terms.entries()) {
    if (wanted.has(lexemeOf({ partition, term }))) frequencies.set(term, head.frequencies[place])
  }
  const nameTerms = new Set(head.named.map((place) => terms[place]).filter((term) => frequencies.has(term)))
  const passages = decodeVectors(stored.subarray(end), places.length / 2).map((vector, i) => ({
    vector,
    start: places[2 * i],
    end: places[2 * i + 1],
  }))
  return {
    document: { ...document, text: {}, passages },
    partition,
    frequencies,
    length,
    nameTerms,
    nameLength,
  }
}

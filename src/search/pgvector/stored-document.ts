/** Encodes an analysed document for its row in a replica, so that ranking the document needs no analysis. */
import { decodeVectors, encodeVector, type IndexPassage } from '../../embedding/vector-codec.ts'
import type { Partition } from '../analysis/analysis.ts'
import type { DocumentValues, IndexDocument } from '../engine.ts'
import type { PartitionTerm } from '../memory/query/keyword.ts'
import type { PreparedDocument } from '../indexing/prepared-document.ts'

/** The part of a stored document that every search reads. */
interface Head {
  readonly document: Omit<IndexDocument, 'text' | 'passages' | keyof DocumentValues>
  readonly partition: Partition
  readonly length: number
  readonly nameLength: number
  /** Start and end of each passage, in UTF-16 units, end to end. */
  readonly places: readonly number[]
}

/** Character before each term; no term has it. */
const TERM_START = '\u0000'
/** Character behind each term; no term has it. */
const TERM_END = '\u0001'
const TERM_START_BYTE = 0
/** Character behind the frequency of a term of the document's name. */
const NAMED = 'n'

/** Encodes the values of a document, which change more often than its text and lie apart from it. */
export function encodeValues({ changedAt, group, keys, numbers, properties }: DocumentValues): string {
  return JSON.stringify({ changedAt, group, keys, numbers, properties } satisfies DocumentValues)
}

export function decodeValues(encoded: string): DocumentValues {
  return JSON.parse(encoded) as DocumentValues
}

/** Returns an analysed document with other values. */
export function withValues(prepared: PreparedDocument, values: DocumentValues): PreparedDocument {
  const { changedAt, group, keys, numbers, properties } = values
  return { ...prepared, document: { ...prepared.document, changedAt, group, keys, numbers, properties } }
}

/**
 * Encodes a document without its values: as the lengths of the head and of the terms (4 bytes each), the head as JSON,
 * the terms as text, and the vectors as float32 end to end. A search looks for its few terms in the text, since reading
 * all terms took longer than the rest of the search.
 */
export function encodeDocument({
  document,
  partition,
  frequencies,
  nameTerms,
  length,
  nameLength,
}: PreparedDocument): Buffer {
  const { id, language, sortText, passages } = document
  const places = passages.flatMap(({ start, end }) => [start, end])
  const head: Head = { document: { id, language, sortText }, partition, length, nameLength, places }
  const headBytes = Buffer.from(JSON.stringify(head))
  const listed = Array.from(
    frequencies,
    ([term, frequency]) => `${TERM_START}${term}${TERM_END}${frequency}${nameTerms.has(term) ? NAMED : ''}`,
  )
  const terms = Buffer.from(`${listed.join('')}${TERM_START}`)
  const sizes = Buffer.alloc(8)
  sizes.writeUInt32LE(headBytes.byteLength)
  sizes.writeUInt32LE(terms.byteLength, 4)
  return Buffer.concat([sizes, headBytes, terms, ...passages.map(({ vector }) => encodeVector(vector))])
}

/** The terms that a search needs of documents, as the bytes that it looks for. */
export interface TermPatterns {
  readonly inPartition: Readonly<Record<Partition, readonly { readonly term: string; readonly bytes: Buffer }[]>>
}

/** Returns the patterns of some terms. */
export function termPatterns(terms: readonly PartitionTerm[]): TermPatterns {
  const listOf = (each: Partition) =>
    [...new Set(terms.filter(({ partition }) => partition === each).map(({ term }) => term))].map((term) => ({
      term,
      bytes: Buffer.from(`${TERM_START}${term}${TERM_END}`),
    }))
  return { inPartition: { de: listOf('de'), en: listOf('en'), other: listOf('other') } }
}

/** A document as it is stored. */
export interface EncodedDocument {
  /** Made by `encodeDocument`. */
  readonly stored: Buffer
  /** Made by `encodeValues`. */
  readonly ownValues: string
}

/** Decodes a document, with only the terms of the patterns. */
export function decodeDocument({ stored, ownValues }: EncodedDocument, patterns: TermPatterns): PreparedDocument {
  const { head, headEnd, termsEnd } = readHead(stored)
  const { document, partition, length, nameLength } = head
  const terms = stored.subarray(headEnd, termsEnd)
  const frequencies = new Map<string, number>()
  const nameTerms = new Set<string>()
  for (const { term, bytes } of patterns.inPartition[partition]) {
    const at = terms.indexOf(bytes)
    if (at < 0) continue
    const from = at + bytes.byteLength
    const value = terms.toString('latin1', from, terms.indexOf(TERM_START_BYTE, from))
    frequencies.set(term, Number.parseFloat(value))
    if (value.endsWith(NAMED)) nameTerms.add(term)
  }
  const whole = { ...document, ...decodeValues(ownValues), text: {}, passages: passagesIn(stored, head, termsEnd) }
  return { document: whole, partition, frequencies, length, nameTerms, nameLength }
}

/** Decodes the passages of a document from what `encodeDocument` has made. */
export function decodePassages(stored: Buffer): IndexPassage[] {
  const { head, termsEnd } = readHead(stored)
  return passagesIn(stored, head, termsEnd)
}

function passagesIn(stored: Buffer, { places }: Head, termsEnd: number): IndexPassage[] {
  return decodeVectors(stored.subarray(termsEnd), places.length / 2).map((vector, i) => ({
    vector,
    start: places[2 * i],
    end: places[2 * i + 1],
  }))
}

function readHead(stored: Buffer): { readonly head: Head; readonly headEnd: number; readonly termsEnd: number } {
  const headEnd = 8 + stored.readUInt32LE()
  const head = JSON.parse(stored.toString('utf8', 8, headEnd)) as Head
  return { head, headEnd, termsEnd: headEnd + stored.readUInt32LE(4) }
}

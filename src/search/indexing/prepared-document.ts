import type { Partition } from '../analysis/analysis.ts'
import { drain } from '../../platform/threads/steps.ts'
import type { IndexDefinition, IndexDocument } from '../engine.ts'
import type { TextAnalyser } from './text-analyser.ts'

/** An analysed document that an index can append. Analysis is a step of its own because it is the slow half. */
export interface PreparedDocument {
  readonly document: IndexDocument
  readonly partition: Partition
  /** Weighted frequency of each term; the terms may have any order. */
  readonly frequencies: ReadonlyMap<string, number>
  /** Weighted length for BM25. */
  readonly length: number
  /** Terms of the document's name, without pieces of names and numbers; empty where the index has no `nameField`. */
  readonly nameTerms: ReadonlySet<string>
  /** Words of the name; 0 where the index has no `nameField`. */
  readonly nameLength: number
}

/** Most characters of a text that are cut from it at once. A piece takes one step or a few. */
const PIECE_LENGTH = 16_384

/**
 * Most distinct terms of a document that are indexed, so that no document takes more than its share of an index and of
 * the time to analyse it. Texts that people write stay below: a novel has 15,000 to 30,000 distinct words.
 */
export const TERMS_MAX = 65_536

/**
 * Analyses a document in steps. A very long document takes a hundred milliseconds, so the caller may run other work
 * between two steps. A document with more distinct terms than `TERMS_MAX` is indexed up to there, in the order of the
 * definition's `textFields` and of their texts.
 * @returns the prepared document, as the return value of the generator
 */
export function* preparing(
  definition: IndexDefinition,
  document: IndexDocument,
  analyser: TextAnalyser,
): Generator<undefined, PreparedDocument> {
  const frequencies = new Map<string, number>()
  let length = 0
  const partition = analyser.partitionOf(document.language)
  let weight = 1
  const add = (term: string, share: number): void => {
    const before = frequencies.get(term)
    if (before !== undefined || frequencies.size < TERMS_MAX) frequencies.set(term, (before ?? 0) + weight * share)
  }
  const nameTerms = new Set<string>()
  let nameLength = 0
  const addNamed = (term: string, share: number): void => {
    add(term, share)
    if (share === 1 && frequencies.has(term)) nameTerms.add(term)
  }
  const heaviest = new Map<string, number>()
  /** Adds a term of a field in which only the heaviest occurrence of each term counts. */
  const addOnce = (term: string, share: number): void => {
    const before = heaviest.get(term) ?? 0
    if (before >= share) return
    add(term, share - before)
    if (frequencies.has(term)) heaviest.set(term, share)
  }
  for (const field of Object.keys(definition.textFields)) {
    weight = definition.textFields[field]
    const isName = field === definition.nameField
    const emit = isName ? addNamed : definition.onceFields?.includes(field) ? addOnce : add
    heaviest.clear()
    for (const text of document.text[field] ?? []) {
      for (let at = 0; at < text.length && frequencies.size < TERMS_MAX;) {
        const end = pieceEnd(text, at)
        const piece = end - at === text.length ? text : text.slice(at, end)
        const words = yield* analyser.analysingDocument(partition, piece, emit)
        length += weight * words
        if (isName) nameLength += words
        at = end
        yield
      }
    }
  }
  return { document, partition, frequencies, length, nameTerms, nameLength }
}

/** Returns the end of a piece: after a line, a sentence or a word, so that hardly any term is cut; else anywhere. */
function pieceEnd(text: string, start: number): number {
  const limit = start + PIECE_LENGTH
  if (text.length <= limit) return text.length
  for (const border of ['\n', '. ', ' ']) {
    const at = text.lastIndexOf(border, limit - 1)
    if (at >= start) return at + border.length
  }
  const isPair = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(limit - 1, limit + 1))
  return isPair ? limit - 1 : limit
}

/** Analyses a document like `preparing`, in one go. */
export function prepare(
  definition: IndexDefinition,
  document: IndexDocument,
  analyser: TextAnalyser,
): PreparedDocument {
  return drain(preparing(definition, document, analyser))
}

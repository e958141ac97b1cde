/** The documents that have every word of a query. */
import { PARTITIONS } from '../../analysis/analysis.ts'
import type { ScoredConcept } from '../../ranking/expansion.ts'
import { type Bits, bitsFor, countBits, setBit } from '../columns/bitset.ts'
import type { KeywordStatistics, SearchPart } from './keyword.ts'
import { type Segment, SLOTS_MAX, slotOf } from '../columns/segment.ts'

const postings = new Uint32Array(SLOTS_MAX)

/**
 * Returns the parts with only those eligible documents that have every word of the query, or unchanged if no document
 * has them all. A corrected or completed word counts. A document needs neither parts of words nor joined spellings.
 */
export function withEveryWord(
  parts: readonly SearchPart[],
  { concepts, frequencies }: Pick<KeywordStatistics, 'concepts' | 'frequencies'>,
): readonly SearchPart[] {
  const words = rarestFirst(concepts, frequencies)
  if (words.length < 2) return parts
  const narrowed = parts.map((part): SearchPart => {
    let bits = part.eligible.bits
    for (const word of words) bits = having(part.segment, word, bits)
    const count = countBits(bits)
    return { ...part, eligible: { ...part.eligible, bits, count, isWhole: false } }
  })
  return narrowed.some(({ eligible }) => eligible.count > 0) ? narrowed : parts
}

/** Returns the concepts of each required word, the rarest word first, so that the sets become small early. */
function rarestFirst(concepts: readonly ScoredConcept[], frequencies: readonly number[]): ScoredConcept[][] {
  const words = new Map<number, { concepts: ScoredConcept[]; frequency: number }>()
  for (const [i, concept] of concepts.entries()) {
    if ((concept.weight < 1 || concept.ifKnown) && concept.typed === undefined) continue
    const word = words.get(concept.wordNumber) ?? { concepts: [], frequency: 0 }
    word.concepts.push(concept)
    word.frequency += frequencies[i]
    words.set(concept.wordNumber, word)
  }
  return [...words.values()].sort((a, b) => a.frequency - b.frequency).map((word) => word.concepts)
}

function having(segment: Segment, word: readonly ScoredConcept[], within: Bits): Bits {
  const bits = bitsFor(segment.slots)
  for (const { terms } of word) {
    for (const partition of PARTITIONS) {
      const term = terms[partition]
      const id = term === null ? -1 : segment.terms[partition].find(term)
      if (id < 0) continue
      const count = segment.terms[partition].read(id, postings)
      for (let i = 0; i < count; i++) {
        const slot = slotOf(postings[i])
        if (((within[slot >>> 5] >>> (slot & 31)) & 1) === 1) setBit(bits, slot)
      }
    }
  }
  return bits
}

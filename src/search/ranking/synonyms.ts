import { PARTITIONS, type QueryConcept } from '../analysis/analysis.ts'
import type { Synonym } from '../engine.ts'

/** Least weight of a concept that is a word, or a chain of words written as one. A part of a word weighs less. */
const WORD_WEIGHT_MIN = 0.5

/** A synonym after analysis. */
export interface SynonymConcept {
  /** Terms of the word of the query. */
  readonly of: QueryConcept['terms']
  /** Concept that the word also stands for. */
  readonly word: QueryConcept
  /** Share of the weight of the word. */
  readonly share: number
}

/** Analyses synonyms. Leaves out those whose word or synonym has no letter or digit. */
export function synonymConcepts(
  synonyms: readonly Synonym[] | undefined,
  analyse: (text: string) => readonly QueryConcept[],
): readonly SynonymConcept[] {
  return (synonyms ?? []).flatMap(({ of, word, share }) => {
    const [concept, synonym] = [wholeOf(analyse(of)), wholeOf(analyse(word))]
    return concept === null || synonym === null ? [] : [{ of: concept.terms, word: synonym, share }]
  })
}

/** Returns the concept of the whole text ("ebike" of "e-bike"); null if the text has no word. */
function wholeOf(concepts: readonly QueryConcept[]): QueryConcept | null {
  const words = concepts.filter(({ weight }) => weight >= WORD_WEIGHT_MIN)
  return words.reduce<QueryConcept | null>(
    (longest, each) => (longest === null || each.text.length > longest.text.length ? each : longest),
    null,
  )
}

/** Returns the concepts that a concept of the query also stands for by the synonyms. */
export function synonymsOf<C extends QueryConcept>(
  concept: C,
  synonyms: readonly SynonymConcept[],
): (C & { readonly typed: string })[] {
  return synonyms.flatMap(({ of, word, share }) => {
    const isSynonym = PARTITIONS.some(
      (partition) => of[partition] !== null && of[partition] === concept.terms[partition],
    )
    if (!isSynonym) return []
    return [{ ...concept, text: word.text, terms: word.terms, weight: concept.weight * share, typed: concept.text }]
  })
}

import { PARTITIONS, type QueryConcept } from '../analysis/analysis.ts'
import type { Synonym } from '../engine.ts'

/** Weight from which a concept of a query is a word, or a chain of words written as one, and no part of a word. */
const WORD_WEIGHT_MIN = 0.5

/** A synonym as the analyser reads it. */
export interface SynonymConcept {
  readonly of: QueryConcept['terms']
  readonly word: QueryConcept
  readonly share: number
}

/** Leaves out what has no letter or digit. */
export function synonymConcepts(
  synonyms: readonly Synonym[] | undefined,
  analyse: (text: string) => readonly QueryConcept[],
): readonly SynonymConcept[] {
  return (synonyms ?? []).flatMap(({ of, word, share }) => {
    const [typed, meant] = [wholeOf(analyse(of)), wholeOf(analyse(word))]
    return typed === null || meant === null ? [] : [{ of: typed.terms, word: meant, share }]
  })
}

/** The concept of the whole text: "ebike" of "e-bike". */
function wholeOf(concepts: readonly QueryConcept[]): QueryConcept | null {
  const words = concepts.filter(({ weight }) => weight >= WORD_WEIGHT_MIN)
  return words.reduce<QueryConcept | null>(
    (longest, each) => (longest === null || each.text.length > longest.text.length ? each : longest),
    null,
  )
}

/** The concepts that a concept of the query also stands for. */
export function meantBy<C extends QueryConcept>(
  concept: C,
  synonyms: readonly SynonymConcept[],
): (C & { readonly typed: string })[] {
  return synonyms.flatMap(({ of, word, share }) => {
    const isAsked = PARTITIONS.some((partition) => of[partition] !== null && of[partition] === concept.terms[partition])
    if (!isAsked) return []
    return [{ ...concept, text: word.text, terms: word.terms, weight: concept.weight * share, typed: concept.text }]
  })
}

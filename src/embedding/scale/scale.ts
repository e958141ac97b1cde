/**
 * Cosines of models brought to one scale. A model's cosines of texts that have nothing in common have a mean and a
 * spread (standard deviation). The weights and thresholds of ranking were measured with the built-in static model, so
 * the cosines of another model are shifted and stretched until the two figures are those of the static one.
 * docs/how-it-works/embeddings.md has the formula.
 */
import { STATIC_ID } from '../builtin/ids.ts'
import { BUILTIN_COSINES } from './builtin-cosines.ts'

/** Mean and spread of a model's cosines of questions and passages that do not belong together. */
export interface UnrelatedCosines {
  readonly mean: number
  readonly spread: number
}

/** What counts in place of a cosine: `factor` x cosine + `offset`. */
export interface Scale {
  readonly factor: number
  readonly offset: number
}

/** The scale of the static model, and of a model that is not measured yet. */
export const IDENTITY: Scale = { factor: 1, offset: 0 }

/** Returns the scale of a model from its cosines. */
export function scaleBy({ mean, spread }: UnrelatedCosines): Scale {
  const reference = BUILTIN_COSINES[STATIC_ID]
  const factor = reference.spread / spread
  return { factor, offset: reference.mean - factor * mean }
}

/** Returns the scale of a built-in model; null for any other. */
export function builtinScale(id: string): Scale | null {
  if (id === STATIC_ID) return IDENTITY
  return Object.hasOwn(BUILTIN_COSINES, id) ? scaleBy(BUILTIN_COSINES[id]) : null
}

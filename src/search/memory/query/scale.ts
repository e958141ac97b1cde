import type { SearchRequest } from '../../engine.ts'

/** Brings cosines to the scale of ranking; see `SearchRequest`. */
export type Scale = NonNullable<SearchRequest['scale']>

/**
 * Returns the scale of a request; null where cosines count as they are.
 * @throws RangeError when the factor is not over 0, or a number is not finite
 */
export function scaleOf({ scale }: SearchRequest): Scale | null {
  if (scale === undefined) return null
  const { factor, offset } = scale
  if (!(factor > 0 && Number.isFinite(factor) && Number.isFinite(offset))) {
    throw new RangeError('a scale needs a finite factor over 0 and a finite offset')
  }
  return factor === 1 && offset === 0 ? null : scale
}

/** Returns what counts in place of the cosine of a document that has vectors. */
export function scaledCosine({ factor, offset }: Scale, cosine: number): number {
  return factor * cosine + offset
}

/** Returns the largest magnitude that a scaled cosine can have, at least 1. */
export function magnitudeOf(scale: Scale | null): number {
  return scale === null ? 1 : Math.max(1, scale.factor + Math.abs(scale.offset))
}

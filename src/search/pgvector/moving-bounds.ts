/**
 * Takes the bounds of ranges out of a filter, so that filters whose bounds follow the clock are recognised as the same.
 */
import type { Filter } from '../engine.ts'

/** A bound of a range on a number field or property: `above` or `below`. */
export interface Bound {
  /** Name of the field or property. */
  readonly field: string
  readonly value: number
}

/** A filter in two parts, both of which a document has to match. */
export interface SplitFilter {
  /** Text of the filter without its bounds: the same for filters that differ only in their bounds. */
  readonly shape: string
  /** The bounds, in the order in which they are in the filter. */
  readonly bounds: readonly Bound[]
  /** The part without bounds. */
  readonly fixed: Filter
  /** The part with the bounds. */
  readonly moving: Filter
}

/** Splits a filter into the part with bounds and the part without. */
export function splitBounds(filter: Filter): SplitFilter {
  const parts = conjunctsOf(filter)
  const isFixed = (part: Filter): boolean => boundsOf(part).length === 0
  return {
    shape: JSON.stringify(filter, (name, value: unknown) =>
      (name === 'above' || name === 'below') && value !== null ? 'bound' : value,
    ),
    bounds: boundsOf(filter),
    fixed: { all: parts.filter(isFixed) },
    moving: { all: parts.filter((part) => !isFixed(part)) },
  }
}

/** Returns the parts of a filter, all of which a document has to match. */
function conjunctsOf(filter: Filter): readonly Filter[] {
  return 'all' in filter ? filter.all.flatMap(conjunctsOf) : [filter]
}

function boundsOf(filter: Filter): Bound[] {
  if ('all' in filter) return filter.all.flatMap(boundsOf)
  if ('any' in filter) return filter.any.flatMap(boundsOf)
  if ('not' in filter) return boundsOf(filter.not)
  if (!('above' in filter)) return []
  const { number, above, below } = filter
  return [above, below].filter((value) => value !== null).map((value) => ({ field: number, value }))
}

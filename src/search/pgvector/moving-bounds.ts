/** Takes the bounds of ranges out of a filter, so that one whose ranges follow the clock is known again later. */
import type { Filter } from '../engine.ts'

/** A bound of a range: documents with a higher number pass it, or those with none higher. */
export interface Bound {
  readonly number: string
  readonly at: number
}

export interface BoundedFilter {
  /** The filter without its bounds: the same for filters that differ in nothing else. */
  readonly shape: string
  /** In the order in which the filter has them. */
  readonly bounds: readonly Bound[]
  /** What every document of the filter matches, whatever the bounds are. */
  readonly fixed: Filter
  /** With `fixed`, the filter. */
  readonly moving: Filter
}

export function withoutBounds(filter: Filter): BoundedFilter {
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

function conjunctsOf(filter: Filter): readonly Filter[] {
  return 'all' in filter ? filter.all.flatMap(conjunctsOf) : [filter]
}

function boundsOf(filter: Filter): Bound[] {
  if ('all' in filter) return filter.all.flatMap(boundsOf)
  if ('any' in filter) return filter.any.flatMap(boundsOf)
  if ('not' in filter) return boundsOf(filter.not)
  if (!('above' in filter)) return []
  const { number, above, below } = filter
  return [above, below].filter((at) => at !== null).map((at) => ({ number, at }))
}

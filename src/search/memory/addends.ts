/** What a request adds to the scores of single documents: the lift of its first ones, and boosts. */
import type { SearchRequest } from '../engine.ts'
import { hasBit } from './bitset.ts'
import type { KeywordStatistics, SearchPart } from './keyword.ts'
import type { Segment } from './segment.ts'

/** In the unit of the mode's score. */
export interface Addend {
  lift: number
  boost: number
  sum: number
}

export interface Addends {
  /** By segment and slot. */
  readonly parts: readonly ReadonlyMap<number, Addend>[]
  /** Largest magnitude of any. */
  readonly largest: number
}

/** Where a living document is; null when there is none. */
export type Locate = (id: string) => { readonly segment: Segment; readonly slot: number } | null

/** @returns null when there is nothing to add, which is most searches */
export function addendsOf(
  { mode, boosts = [], first }: SearchRequest,
  parts: readonly SearchPart[],
  lifted: readonly (readonly number[])[] | null,
  statistics: KeywordStatistics | null,
  locate: Locate,
): Addends | null {
  if (boosts.length === 0 && lifted === null) return null
  const unit = mode === 'keyword' ? statistics!.whole : 1
  const maps = parts.map(() => new Map<number, Addend>())
  const add = (part: number, slot: number, name: 'lift' | 'boost', value: number): void => {
    const held = maps[part].get(slot) ?? { lift: 0, boost: 0, sum: 0 }
    held[name] = value * unit
    held.sum = held.lift + held.boost
    maps[part].set(slot, held)
  }
  for (const { id, boost } of boosts) {
    const place = locate(id)
    const part = place === null ? -1 : parts.findIndex(({ segment }) => segment === place.segment)
    if (part >= 0 && hasBit(parts[part].eligible.bits, place!.slot)) add(part, place!.slot, 'boost', boost)
  }
  for (const [part, slots] of (lifted ?? []).entries()) {
    for (const slot of slots) add(part, slot, 'lift', first!.lift)
  }
  const sums = maps.flatMap((map) => Array.from(map.values(), ({ sum }) => Math.abs(sum)))
  return sums.length === 0 ? null : { parts: maps, largest: sums.reduce((most, sum) => Math.max(most, sum), 0) }
}

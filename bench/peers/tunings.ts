import type { FilterShare } from './collection.ts'
import { HITS, type Tuning } from './engine.ts'

/** One way to search with an engine, from its cheapest to its most thorough setting. */
export type Ladder = readonly Tuning[]

const EXACT: Ladder = [{ exact: true }]
const EFS = [10, 20, 40, 80, 160, 320, 640, 1_000]
const THRESHOLDS: Ladder = [{ threshold: 0 }, { threshold: 0.5 }, { threshold: 1 }]
/** Number of vectors after which pgvector stops looking for those that pass the filter. */
const SCANNED = 1_000_000

/** Returns the ladders of an engine. The cheapest step that reaches the recall is measured. */
export function laddersOf(peer: string, test: FilterShare | 'tenant', entries: number): Ladder[] {
  const graph = EFS.map((ef) => ({ ef }))
  if (peer === 'zvec') return [graph, EXACT]
  // Many tenants share no graph: the few entries of one are compared exactly, which costs less than a walk past others.
  if (test === 'tenant') return [EXACT]
  if (peer === 'pgvector') return [test === 100 ? graph : graph.map(({ ef }) => ({ ef, scanned: SCANNED })), EXACT]
  if (peer === 'LanceDB') return [...lanceLadders(entries), EXACT]
  // By words: entries with all of them, with half of them, with any of them.
  if (peer === 'Orama') return [THRESHOLDS, THRESHOLDS.map((step) => ({ ...step, 'whole words': true }))]
  return [[{ all: true }, { any: true }]]
}

/**
 * Returns the ladders of LanceDB: every graph is searched, and several times as many hits as needed are compared by
 * their whole vectors.
 */
function lanceLadders(entries: number): Ladder[] {
  const partitions = partitionsOf(entries)
  const ladder = (refine: number): Ladder =>
    EFS.filter((ef) => ef >= refine * HITS).map((ef) => ({ probes: partitions, ef, refine }))
  return [ladder(2), ladder(5)]
}

/** Returns the number of graphs into which LanceDB divides the entries: one for each 250,000. */
export function partitionsOf(entries: number): number {
  return Math.max(1, Math.round(entries / 250_000))
}

/** Returns a tuning in words, such as "ef 80, refine 5". */
export function tuningText(tuning: Tuning): string {
  const parts = Object.entries(tuning)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? name : `${name} ${value}`))
  return parts.join(', ')
}

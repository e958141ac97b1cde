import type { LoadFigures } from '../search-scenarios.ts'
import type { MachineFacts } from '../support/machine.ts'

/** Figures of one engine; by words, the recall is the share of phrases whose entry is among the ten. */
interface Figures extends LoadFigures {
  readonly recall: number
}

/** The service and a peer, measured in the same minutes. */
export interface PairReport {
  readonly peer: string
  readonly asks: 'vectors' | 'words'
  /** Percent of the entries that the filter leaves, or one tenant of many. */
  readonly test: `${number}` | 'tenant'
  readonly tuning: string
  /** The best of each other way to search. */
  readonly others: readonly { readonly tuning: string; readonly recall: number; readonly cpuPer1000: number }[]
  readonly ours: Figures
  readonly theirs: Omit<Figures, 'count' | 'memoryMb'>
}

/** What holds for all pairs of a peer. */
export interface PeerReport {
  readonly name: string
  readonly loadSeconds: number
  /** At the end. */
  readonly memoryMb: number
  /** Where and when it was measured. */
  readonly machine: MachineFacts
}

/** One collection. */
export interface GroupReport {
  readonly collection: 'drawn' | 'passages'
  readonly size: number
  readonly tenants: number
  /** Of the service, when the last of the pairs were measured. */
  readonly loadSeconds: number
  readonly peers: readonly PeerReport[]
  readonly pairs: readonly PairReport[]
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
}

export interface PeersReport {
  /** Distinct passages of real text that were found. */
  readonly passages: number
  readonly groups: readonly GroupReport[]
  /** What could not be measured, and why. */
  readonly skipped: readonly string[]
}

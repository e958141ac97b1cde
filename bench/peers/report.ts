import type { LoadFigures } from '../search-scenarios.ts'
import type { MachineFacts } from '../support/machine.ts'

/**
 * Figures of one engine. In searches by words, the recall is the share of phrases whose entry is among the ten hits.
 */
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
  /** The best figures of each other way to search. */
  readonly others: readonly { readonly tuning: string; readonly recall: number; readonly cpuPer1000: number }[]
  readonly ours: Figures
  readonly theirs: Omit<Figures, 'count' | 'memoryMb'>
}

/** Figures of a peer that hold for all of its pairs. */
export interface PeerReport {
  readonly name: string
  readonly loadSeconds: number
  /** Memory of the peer at the end, in megabytes. */
  readonly memoryMb: number
  /** Machine and time of the measurement. */
  readonly machine: MachineFacts
}

/** Figures of one collection. */
export interface GroupReport {
  readonly collection: 'drawn' | 'passages'
  readonly size: number
  readonly tenants: number
  /** Seconds that the service took to load, when the last pairs were measured. */
  readonly loadSeconds: number
  readonly peers: readonly PeerReport[]
  readonly pairs: readonly PairReport[]
  readonly leftOut: readonly { readonly name: string; readonly why: string }[]
}

export interface PeersReport {
  /** Number of distinct passages of real text. */
  readonly passages: number
  readonly groups: readonly GroupReport[]
  /** Peers that could not be measured, and the reasons. */
  readonly skipped: readonly string[]
}

import type { FailedEntry } from '../../api/many-entries.ts'

/** Outcome of an action on several entries of the bin. */
export interface BinOutcome {
  readonly text: string
  readonly failed: readonly FailedEntry[]
}

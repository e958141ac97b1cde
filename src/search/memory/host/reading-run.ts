import type { RefusalReason, ValueChange } from '../../engine.ts'
import type { Replica } from './replica.ts'

/** One run in which a replica reads changes from its source. */
export interface ReadingRun {
  readonly replica: Replica
  /** Whether the run builds the index. */
  readonly isFirst: boolean
  /** When the run began. */
  readonly began: number
  /** Whether `onCatchUp` was called for the run. */
  isAnnounced: boolean
  /** Reason to refuse the index, because memory ran out; null while there is enough. */
  shortage: RefusalReason | null
  /** Bytes by which the replica may have grown since it was measured. */
  unmeasured: number
  /** Number of slices after which the run let other work go on. */
  pauses: number
  /** By id, the values that were applied while documents are being read from the source; null at other times. */
  meanwhile: Map<string, ValueChange> | null
  /** The reading of values that runs beside the reading of texts; null without one. */
  valuesPass: Promise<void> | null
  /** Failure of the reading of values, which ends the run; null without one. */
  failure: Error | null
  /** Ends the rest of a run that no search waits for; null while the run does not rest. */
  endRest: (() => void) | null
}

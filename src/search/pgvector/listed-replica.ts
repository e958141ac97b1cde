import type { Place } from './tables-store.ts'

/** A replica, of a tenant that is there or of one that is gone. */
export interface ListedReplica extends Place {
  /** Whether it can be searched. */
  readonly isReady: boolean
  /** Whether no process has searched it for five minutes. */
  readonly isIdle: boolean
}

/** A replica with the erasures that it knows: those whose words are gone from it. */
export interface KnownReplica extends Place {
  /** Every change with a number up to here is applied. */
  readonly reached: number
  readonly isReady: boolean
  /** Of `IndexHistory`, made when changes were stored last; null before the first, and without a history. */
  readonly mark: string | null
  /** What `noteErasures` noted last; null before. */
  readonly erasures: string | null
}

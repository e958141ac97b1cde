import type { ReplicaKey } from './tables-store.ts'

/** A replica of a tenant, which may be gone. */
export interface ListedReplica extends ReplicaKey {
  /** Every change with a number up to here is applied. */
  readonly reached: number
  /** Whether it can be searched. */
  readonly isReady: boolean
  /** Whether no process has searched it for five minutes. */
  readonly isIdle: boolean
}

/** A replica with the erasures that it knows: those whose words are gone from it. */
export interface KnownReplica extends ReplicaKey {
  /** Every change with a number up to here is applied. */
  readonly reached: number
  readonly isReady: boolean
  /** Mark of `IndexHistory` at the last stored change; null before the first, and without a history. */
  readonly mark: string | null
  /** Erasures that `noteErasures` noted last; null before. */
  readonly erasures: string | null
}

/** Messages between the calling thread and the thread that searches replicas. */
import type { DatabaseOptions } from '../../platform/database/database.ts'
import type { IndexVersion } from '../engine.ts'
import type { AnswerMessage, PackedError, SearchMessage } from '../memory/host/protocol.ts'

export interface ReplicaThreadOptions {
  /** File URL of a module that exports `createSources`. */
  readonly sourceModule: string
  /** The database of the sources and of the replicas. */
  readonly database: DatabaseOptions
  /** Milliseconds that a search waits for a replica that is being built. */
  readonly buildWaitMs: number
  /** Milliseconds that a search waits for a replica that reads the latest values. */
  readonly catchUpWaitMs: number
  /** Milliseconds that a search waits for the latest texts. */
  readonly freshWaitMs: number
}

export type ToReplicas =
  | SearchMessage
  | { readonly kind: 'warm'; readonly call: number; readonly version: IndexVersion }
  /** Says that something of these tenants was written. */
  | { readonly kind: 'written'; readonly tenantIds: readonly string[] }
  | { readonly kind: 'status'; readonly call: number; readonly tenantId: string | null }

export interface ReplicaThreadProtocol {
  readonly data: ReplicaThreadOptions
  readonly order: ToReplicas
  readonly report:
    | AnswerMessage
    | { readonly kind: 'done'; readonly call: number; readonly value: unknown }
    | { readonly kind: 'failed'; readonly error: PackedError }
}

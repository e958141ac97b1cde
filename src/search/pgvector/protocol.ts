/** Messages between the calling thread and the thread that searches replicas. */
import type { DatabaseOptions } from '../../platform/database/database.ts'
import type { IndexVersion } from '../engine.ts'
import type { AnswerMessage, PackedError, SearchMessage } from '../memory/host/protocol.ts'

export interface ReplicaThreadOptions {
  /** File URL of a module that exports `createSources`. */
  readonly sourceModule: string
  /** The database of the sources, which has the replicas too. */
  readonly database: DatabaseOptions
  /** How long a search waits for a replica that is built. */
  readonly buildWaitMs: number
  /** How long it waits for one that only reads the latest changes. */
  readonly catchUpWaitMs: number
}

export type ToReplicas =
  | SearchMessage
  | { readonly kind: 'warm'; readonly call: number; readonly version: IndexVersion }
  | { readonly kind: 'status'; readonly call: number; readonly tenantId: string | null }

export interface ReplicaThreadProtocol {
  readonly data: ReplicaThreadOptions
  readonly order: ToReplicas
  readonly report:
    | AnswerMessage
    | { readonly kind: 'done'; readonly call: number; readonly value: unknown }
    | { readonly kind: 'failed'; readonly error: PackedError }
}

import type { Caller, TenantContext } from '../platform/access/caller.ts'
import { type Actor, type AuditEvent, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import type { EmbeddedKind, VectorColumns } from './embedded-kind.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import type { TenantModels } from './target-model.ts'
import { hasQueued, isPaused, type PlannedVectors, planVectors } from './planned-vectors.ts'

/** Services that rules need to write documents. */
export interface WriterOptions {
  readonly database: Database
  readonly embedders: EmbedderPool
  /** Is called after a commit that has added embedding jobs. */
  readonly onQueued: () => void
}

/** The position of a write: the number of the change, and the embedding models of the tenant. */
export interface WritePosition extends TenantModels {
  readonly seq: number
}

/** Runs the transactions that write documents of any kind. */
export class DocumentWriter {
  readonly database: Database
  readonly #embedders: EmbedderPool
  readonly #onQueued: () => void

  constructor({ database, embedders, onQueued }: WriterOptions) {
    this.database = database
    this.#embedders = embedders
    this.#onQueued = onQueued
  }

  /**
   * Runs a transaction of the caller's tenant. Wakes the embedding queue after the commit if the transaction added
   * jobs.
   */
  async write<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#afterCommit(await this.database.write(withQueueState(work), caller.tenant.id))
  }

  /**
   * Runs a transaction like `write`, for a change of one document. It shares its commit with others of the same time.
   */
  async writeOne<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#afterCommit(await this.database.writeShort(withQueueState(work), caller.tenant.id))
  }

  /** Decides how documents get their vectors; see the function `planVectors`. @param rows at least one */
  planVectors<Row extends { readonly id: string }, Vectors extends VectorColumns>(
    kind: EmbeddedKind<Row, Vectors>,
    tenant: TenantContext,
    rows: readonly (Row & { readonly tenant_id: string })[],
    models: TenantModels,
  ): Promise<PlannedVectors> {
    return planVectors(kind, this.#embedders, rows, models, isPaused(tenant))
  }

  /** Records changes of documents in the audit trail, in the transaction of the changes. */
  async record(
    tx: Tx,
    caller: Actor & Pick<Caller, 'tenant'>,
    resourceType: string,
    changes: readonly { readonly action: AuditEvent['action']; readonly id: string }[],
  ): Promise<void> {
    const events = changes.map(({ action, id }) => ({ action, resourceType, resourceId: id }))
    await recordAudit(tx, caller.tenant.id, caller, events)
  }

  /** Wakes the embedding queue if the transaction added jobs. */
  #afterCommit<T>({ result, isQueued }: Outcome<T>): T {
    if (isQueued) this.#onQueued()
    return result
  }
}

/** The result of a transaction, and whether it added jobs. */
interface Outcome<T> {
  readonly result: T
  readonly isQueued: boolean
}

function withQueueState<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<Outcome<T>> {
  return async (tx) => ({ result: await work(tx), isQueued: hasQueued(tx) })
}

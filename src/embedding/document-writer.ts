import type { Caller, TenantContext } from '../platform/access/caller.ts'
import { type Actor, type AuditEvent, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import type { EmbeddedKind, VectorColumns } from './embedded-kind.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { hasQueued, isPaused, type PlannedVectors, planVectors } from './planned-vectors.ts'

/** Services that rules need to write documents. */
export interface WriterOptions {
  readonly database: Database
  readonly embedders: EmbedderPool
  /** Called after a commit that has queued embedding jobs. */
  readonly onQueued: () => void
}

/** Number of a change in the tenant's history, and the embedding model of the tenant's search. */
export interface WritePosition {
  readonly seq: number
  /** Null before the tenant's first vectors. */
  readonly model: string | null
}

/** Runs the transactions that write documents of one kind, whichever kind that is. */
export class DocumentWriter {
  readonly database: Database
  readonly #embedders: EmbedderPool
  readonly #onQueued: () => void

  constructor({ database, embedders, onQueued }: WriterOptions) {
    this.database = database
    this.#embedders = embedders
    this.#onQueued = onQueued
  }

  /** Runs a transaction of the caller's tenant, and wakes the embedding queue after the commit if that has new jobs. */
  async write<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#woken(await this.database.write(notingJobs(work), caller.tenant.id))
  }

  /** Like `write`, for a change of one document: it shares its commit with others that come at the same time. */
  async writeOne<T>(caller: Caller, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#woken(await this.database.writeShort(notingJobs(work), caller.tenant.id))
  }

  /** Decides how documents get their vectors; see `planVectors`. @param rows at least one */
  planVectors<Row extends { readonly id: string }, Vectors extends VectorColumns>(
    kind: EmbeddedKind<Row, Vectors>,
    tenant: TenantContext,
    rows: readonly (Row & { readonly tenant_id: string })[],
    model: string | null,
  ): Promise<PlannedVectors> {
    return planVectors(kind, this.#embedders, rows, model, isPaused(tenant))
  }

  /** Records what became of documents, in their transaction. */
  async record(
    tx: Tx,
    caller: Actor & Pick<Caller, 'tenant'>,
    resourceType: string,
    changes: readonly { readonly action: AuditEvent['action']; readonly id: string }[],
  ): Promise<void> {
    const events = changes.map(({ action, id }) => ({ action, resourceType, resourceId: id }))
    await recordAudit(tx, caller.tenant.id, caller, events)
  }

  #woken<T>({ result, isQueued }: Noted<T>): T {
    if (isQueued) this.#onQueued()
    return result
  }
}

interface Noted<T> {
  readonly result: T
  readonly isQueued: boolean
}

function notingJobs<T>(work: (tx: Tx) => Promise<T>): (tx: Tx) => Promise<Noted<T>> {
  return async (tx) => ({ result: await work(tx), isQueued: hasQueued(tx) })
}

/** Writes the snapshots of a thread's replicas, and reads new replicas from snapshots. */
import type { IndexSource } from '../../engine.ts'
import type { IndexFiles } from '../columns/index-files.ts'
import type { MemorySize } from '../columns/memory-size.ts'
import type { TextAnalyser } from '../../indexing/text-analyser.ts'
import type { VectorMemory } from '../columns/vector-column.ts'
import { isSnapshotDue, type Snapshots } from '../index/snapshots/snapshots.ts'
import type { Compactions } from './compactions.ts'
import type { IndexBudget } from './index-budget.ts'
import type { Pager } from './pager.ts'
import { isAtWork, type Job, type Replica } from './replica.ts'
import type { Replicas } from './replicas.ts'
import type { Room } from './room.ts'

/** Milliseconds between two marks that the snapshot of an index in use is used. */
const TOUCH_MS = 5 * 60_000

export interface SnapshotKeeperOptions {
  readonly snapshots: Snapshots
  readonly sources: ReadonlyMap<string, IndexSource>
  readonly memory: VectorMemory
  readonly analyser: TextAnalyser
  readonly replicas: Replicas
  readonly room: Room
  readonly budget: IndexBudget
  readonly pager: Pager
  readonly compactions: Compactions
  /** Clock in milliseconds. */
  readonly now: () => number
  readonly submit: (job: Job) => void
}

export class SnapshotKeeper {
  readonly #options: SnapshotKeeperOptions
  readonly #snapshots: Snapshots
  /** Whether `saveDue` runs. */
  #isSaving = false
  /** The snapshot that is being written; null while none is. */
  #saving: Promise<void> | null = null

  constructor(options: SnapshotKeeperOptions) {
    this.#options = options
    this.#snapshots = options.snapshots
  }

  /**
   * Reads the indexes that were used last from their snapshots, as long as there is room. Beside searches it then
   * checks the other snapshots and deletes the useless ones, since they may hold erased documents.
   * @param isOurs tells whether this process holds a tenant
   * @returns a promise that resolves when there is no room for another index, or all are read
   */
  warm(isOurs: (tenantId: string) => boolean): Promise<void> {
    const { promise: isWarm, resolve } = Promise.withResolvers<void>()
    void this.#readAll(isOurs, resolve).finally(resolve)
    return isWarm
  }

  /** Writes the snapshots that are due, one after the other. Call it every few seconds. */
  async saveDue(): Promise<void> {
    if (this.#isSaving) return
    this.#isSaving = true
    for (const replica of this.#options.replicas.list()) {
      this.#saving = this.#saveIfDue(replica)
      await this.#saving
    }
    this.#saving = null
    this.#isSaving = false
  }

  /** Deletes a tenant's snapshots. The caller drops the tenant's replicas before. */
  async remove(tenantId: string): Promise<void> {
    // A snapshot that is being written could appear after the deletion, so its writing must end first.
    await this.#saving
    await this.#snapshots.remove(tenantId)
  }

  /**
   * Reads a new replica's index from its snapshot, if there is a usable one.
   * @param admit makes room for the index, and returns files for its original vectors; null for memory
   * @throws what `admit` throws, Abandoned, ArenaFull
   */
  async restore(
    replica: Replica,
    admit: (size: MemorySize & { readonly fileBytes: number }) => IndexFiles | null,
  ): Promise<void> {
    const { memory, analyser, room, pager, now } = this.#options
    const { version, source } = replica
    const index = await room.evictingFor(replica, () =>
      this.#snapshots.load(version, source, { memory, analyser }, room.pauseOf(replica), admit),
    )
    if (index === null) return
    if (replica.dropped) {
      index.free()
      return
    }
    replica.index.free()
    replica.index = index
    replica.cursor = index.reached
    replica.valuesReached = index.reached
    replica.isRestored = true
    pager.noteChanged(replica)
    replica.isSaved = true
    replica.savedAt = now()
    room.measure(replica)
  }

  async #readAll(isOurs: (tenantId: string) => boolean, onFull: () => void): Promise<void> {
    const { sources, budget, submit } = this.#options
    let isFull = false
    for await (const { tenantId, index, model, bytes, heapBytes } of this.#snapshots.usable(sources)) {
      if (!isOurs(tenantId)) continue
      const size = { bytes, heapBytes }
      isFull ||= !budget.fitsWhole(size)
      if (isFull) onFull()
      if (isFull || !budget.fitsTenant(tenantId, size)) continue
      // A watermark of 1 asks for the snapshot alone. The next look at all tenants reads what came after it.
      await new Promise((resolve) => {
        submit({ version: { tenantId, index, model, watermark: 1 }, request: null, settle: resolve })
      })
    }
  }

  /** Writes the snapshot of a replica if it is due and the replica is not at work. */
  async #saveIfDue(replica: Replica): Promise<void> {
    await this.#touch(replica)
    const { room, now } = this.#options
    const { index, changes } = replica
    const unsaved = { ...replica, documents: index.documents }
    if (isAtWork(replica) || replica.dropped) return
    if (!isSnapshotDue(unsaved, now(), this.#snapshots.policy) || !room.pageIn(replica)) return
    replica.isWriting = true
    replica.changes = 0
    const isWritten = await this.#snapshots.save(replica.version, replica.source, index, room.pauseOf(replica))
    if (!isWritten) replica.changes += changes
    replica.isWriting = false
    replica.isSaved = true
    replica.savedAt = now()
    if (replica.dropped) return
    this.#options.pager.noteChanged(replica)
    room.measure(replica)
    void this.#options.compactions.start(replica)
  }

  /** Marks the snapshot of a replica as used, every few minutes while the replica is used. */
  async #touch(replica: Replica): Promise<void> {
    if (!replica.isSaved || replica.usedAt - replica.touchedAt < TOUCH_MS) return
    replica.touchedAt = replica.usedAt
    await this.#snapshots.touch(replica.version)
  }
}

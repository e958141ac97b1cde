/** Writes the snapshots of a thread's replicas, and reads new replicas from snapshots. */
import type { IndexSource, IndexVersion, TenantState } from '../../engine.ts'
import type { IndexFiles } from '../columns/index-files.ts'
import type { MemorySize } from '../columns/memory-size.ts'
import type { TextAnalyser } from '../../indexing/text-analyser.ts'
import type { VectorMemory } from '../columns/vector-column.ts'
import type { SnapshotIdentity } from '../index/snapshots/index-snapshot.ts'
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

/** Where a start gets the indexes that were used last. */
export interface WarmStart {
  /** Tells whether this process holds a tenant. */
  readonly isOurs: (tenantId: string) => boolean
  /** Returns the present states of these tenants; unknown ids are absent. */
  readonly statesOf: (tenantIds: readonly string[]) => Promise<readonly TenantState[]>
}

/** The indexes that a start brings into memory. */
export interface Warming {
  /** Resolves when there is no room for another index, or all are read that can be. */
  readonly read: Promise<void>
  /** Resolves when the indexes whose snapshots have another form are built, too. */
  readonly built: Promise<void>
  /** Number of indexes that have to be built, as far as is known. */
  readonly toBuild: number
}

/** A snapshot that cannot be read: its index was in use before an upgrade. */
type Unreadable = Pick<SnapshotIdentity, 'tenantId' | 'index' | 'bytes' | 'heapBytes'>

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
   * Reads the indexes that were used last from their snapshots, as long as there is room, then builds those whose
   * snapshots have another form, as after an upgrade that changed the analysis. Beside searches it also checks the
   * other snapshots and deletes the useless ones, since they may hold erased documents.
   */
  warm(start: WarmStart): Warming {
    const isRead = Promise.withResolvers<void>()
    const unreadable: Unreadable[] = []
    const reading = this.#readAll(start, unreadable, isRead.resolve).finally(isRead.resolve)
    const built = reading.then(() => this.#buildAll(start, unreadable))
    return {
      read: isRead.promise,
      built,
      get toBuild() {
        return unreadable.length
      },
    }
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

  async #readAll({ isOurs }: WarmStart, unreadable: Unreadable[], onFull: () => void): Promise<void> {
    const { sources, budget } = this.#options
    let isFull = false
    for await (const { isReadable, ...identity } of this.#snapshots.list(sources)) {
      const { tenantId, index, model } = identity
      if (!isOurs(tenantId)) continue
      if (!isReadable) {
        unreadable.push(identity)
        continue
      }
      isFull ||= !budget.fitsWhole(identity)
      if (isFull) onFull()
      if (isFull || !budget.fitsTenant(tenantId, identity)) continue
      // A watermark of 1 asks for the snapshot alone. The next look at all tenants reads what came after it.
      await this.#ready({ tenantId, index, model, watermark: 1 })
    }
  }

  /** Builds indexes, one after the other and as far as there is room. Never rejects: a search builds what is left. */
  async #buildAll({ statesOf }: WarmStart, unreadable: readonly Unreadable[]): Promise<void> {
    try {
      for (const each of unreadable) {
        const [state] = await statesOf([each.tenantId])
        if (state !== undefined) await this.#buildFor(each, state)
      }
    } catch {
      // The database cannot be asked now, and the snapshots tell the next start what was used last.
    }
  }

  async #buildFor({ tenantId, index, ...size }: Unreadable, { model, watermark, engine }: TenantState): Promise<void> {
    const { sources, budget, replicas } = this.#options
    const version = { tenantId, index, model, watermark }
    const isWanted = engine !== 'pgvector' && budget.fitsWhole(size) && budget.fitsTenant(tenantId, size)
    if (isWanted) await this.#ready(version)
    const documents = replicas.find(version)?.index.documents ?? 0
    // A snapshot of the new index replaces the other one soon. Where none will, the other one has no further use.
    if (documents >= this.#snapshots.policy.documentsMin) return
    await this.#snapshots.discardUnreadable(tenantId, index, sources.get(index)!)
  }

  /** Resolves when an index is up to date, or has failed. */
  #ready(version: IndexVersion): Promise<unknown> {
    return new Promise((resolve) => this.#options.submit({ version, request: null, settle: resolve }))
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

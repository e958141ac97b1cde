/** Keeps the indexes of a thread within their memory: lets others make room, and gives up an index that finds none. */
import { type Pause, threadSlices } from '../../../platform/threads/slices.ts'
import type { RefusalReason } from '../../engine.ts'
import { ArenaFull } from '../columns/arena.ts'
import { type IndexFiles, IndexFileLost } from '../columns/index-files.ts'
import { type MemorySize, NOTHING } from '../columns/memory-size.ts'
import type { IndexEvent } from '../index/index-event.ts'
import { Abandoned } from '../index/snapshots/snapshots.ts'
import { type IndexBudget, TIGHT_SHARE } from './index-budget.ts'
import type { Pager } from './pager.ts'
import { isIdle, type Replica } from './replica.ts'
import type { Replicas } from './replicas.ts'

/** Share of a tenant's bound below which a tenant that was reported as near the bound may be reported again. */
const ROOMY_SHARE = 0.8
/** Milliseconds between two searches of `evict` for a large unused index. */
const UNUSED_CHECK_MS = 1_000

export interface RoomOptions {
  readonly budget: IndexBudget
  readonly replicas: Replicas
  readonly pager: Pager
  /** Files for parts of indexes while memory is short; null for none. */
  readonly files: IndexFiles | null
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Tells whether the thread's heap is nearly full. */
  readonly isHeapShort: () => boolean
  /**
   * Leaves documents out of indexes that have outgrown the bound on their tenant.
   * @returns false when there is nothing to leave out
   */
  readonly relieve: (tenantId: string) => boolean
  readonly onEvent: (event: IndexEvent) => void
  /** Called once, when files can hold no more. */
  readonly onFilesLost: (error: Error) => void
}

export class Room {
  readonly #options: RoomOptions
  readonly #budget: IndexBudget
  readonly #replicas: Replicas
  readonly #pager: Pager
  /** Tenants whose indexes are near their bound. */
  readonly #tight = new Set<string>()
  #areFilesLost = false
  #unusedCheckAt = Number.NEGATIVE_INFINITY

  constructor(options: RoomOptions) {
    this.#options = options
    this.#budget = options.budget
    this.#replicas = options.replicas
    this.#pager = options.pager
  }

  /**
   * Makes room for a replica to grow, by paging out or dropping others if needed.
   * @returns the reason to refuse the replica if there is no room, else null
   */
  make(replica: Replica, growth: MemorySize): RefusalReason | null {
    const { tenantId } = replica.version
    if (!this.#budget.fitsTenant(tenantId, growth)) {
      this.#replicas.dropOtherModels(replica)
      this.#forgetFilters(tenantId, growth)
      if (!this.#budget.fitsTenant(tenantId, growth)) return 'tenant'
    }
    return this.#makeAmongAll(replica, growth) ? null : 'crowded'
  }

  /**
   * Makes room for a copy that takes less than what it replaces. It may exceed the tenant's bound for a while, since a
   * tenant whose memory is full could not give any back otherwise.
   * @returns false when all memory is taken
   */
  makeForCopy(replica: Replica, size: MemorySize): boolean {
    return size.bytes === 0 || this.#makeAmongAll(replica, size)
  }

  /** Pages out or drops another replica, so that `grower` can grow. @returns false when no other may go */
  evict(grower: Replica): boolean {
    return this.#dropLargestUnused(grower) || this.#pager.pageOut(grower) || this.#dropAnother(grower)
  }

  /**
   * Does work for a replica that needs memory for vectors, and repeats the work after each eviction.
   * @throws what `work` throws, once no other replica can be evicted
   */
  async evictingFor<T>(replica: Replica, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        // The next attempt uses no files, and fails where memory has no room.
        if (error instanceof IndexFileLost && !replica.dropped) this.giveUpFiles(error)
        else if (!(error instanceof ArenaFull) || replica.dropped || !this.evict(replica)) throw error
      }
    }
  }

  /**
   * Brings a replica back to memory.
   * @returns false when there is no room, or the files are lost and the replica dropped
   */
  pageIn(replica: Replica): boolean {
    for (;;) {
      const { pages } = replica.index
      const bytes = pages.pagedOutBytes
      if (bytes === 0) return true
      // The bound on the tenant counts paged-out parts too, so only the bound on all indexes can lack room.
      if (!this.#makeAmongAll(replica, { bytes, heapBytes: 0 })) return false
      try {
        pages.pageIn()
      } catch (error) {
        if (error instanceof IndexFileLost) {
          this.loseFiles(replica, error)
          return false
        }
        // Node throws a RangeError when it cannot allocate a buffer.
        if (!(error instanceof ArenaFull) && !(error instanceof RangeError)) throw error
        if (!this.evict(replica)) return false
      }
      this.#budget.measure(replica)
      this.#pager.notePageable(replica)
    }
  }

  /**
   * Measures a replica. If it has outgrown the memory of its tenant, documents are left out; if it has outgrown all
   * memory and no other replica can make room, it is refused.
   */
  measure(replica: Replica): void {
    // A compaction may end after its replica was dropped and a new replica has taken the key.
    if (replica.dropped) return
    replica.measuredAt = this.#options.now()
    this.#budget.measure(replica)
    this.#reportTight(replica.version.tenantId)
    this.#pager.startPass()
    const shortage = this.make(replica, NOTHING)
    if (shortage === 'tenant' && this.#options.relieve(replica.version.tenantId)) return
    if (shortage !== null) this.#replicas.refuse(replica, shortage)
  }

  /** Gives back the room of a replica that was dropped. */
  release(replica: Replica): void {
    this.#pager.forget(replica)
    this.#budget.note(replica, NOTHING)
    this.#reportTight(replica.version.tenantId)
  }

  /**
   * Returns the pause for long work on a replica. The pause relieves the heap, and throws `Abandoned` for a dropped
   * replica.
   */
  pauseOf(replica: Replica): Pause {
    const check = (): void => {
      if (replica.dropped) throw new Abandoned('the index was dropped')
    }
    return () => {
      check()
      return threadSlices
        .pause(replica.version.tenantId)
        ?.then(() => this.relieveHeap())
        .then(check)
    }
  }

  /** Refuses, when the heap is nearly full, the replica that uses most of it, if possible one that catches up. */
  relieveHeap(): void {
    if (!this.#options.isHeapShort()) return
    const heaviest = this.#budget.heaviest((replica) => replica.catchingUp) ?? this.#budget.heaviest(() => true)
    if (heaviest !== null) this.#replicas.refuse(heaviest, 'crowded')
  }

  /** Drops a replica with a file that cannot be read, so that the next search builds the index again. */
  loseFiles(replica: Replica, error: IndexFileLost): void {
    this.giveUpFiles(error)
    if (!replica.dropped) this.#replicas.drop(replica)
  }

  /** Writes no more parts of indexes to files. Earlier files can still be read. */
  giveUpFiles(error: IndexFileLost): void {
    this.#options.files?.giveUp()
    if (!this.#areFilesLost) this.#options.onFilesLost(error)
    this.#areFilesLost = true
  }

  #makeAmongAll(replica: Replica, growth: MemorySize): boolean {
    while (!this.#budget.fitsWhole(growth)) {
      // Paging out frees next to nothing on the heap, so only a drop helps there.
      const hasMadeRoom = this.#budget.fitsHeap(growth) ? this.evict(replica) : this.#dropAnother(replica)
      if (!hasMadeRoom) return false
    }
    return true
  }

  /** Drops a large unused replica; otherwise small ones would be paged in and out beside it for ever. */
  #dropLargestUnused(grower: Replica): boolean {
    const now = this.#options.now()
    if (now - this.#unusedCheckAt < UNUSED_CHECK_MS) return false
    this.#unusedCheckAt = now
    return this.#giveUp(this.#budget.largestUnused(grower, now))
  }

  #dropAnother(grower: Replica): boolean {
    return this.#giveUp(this.#budget.victim(grower, this.#options.now()))
  }

  /** Drops a replica to make room. @returns false without one */
  #giveUp(victim: Replica | null): boolean {
    if (victim === null) return false
    this.#options.onEvent({ kind: 'evicted' })
    if (isIdle(victim)) this.#replicas.drop(victim)
    else this.#replicas.refuse(victim, 'crowded')
    return true
  }

  /** Drops the cached filters of a tenant's replicas, where that makes the room that is missing. */
  #forgetFilters(tenantId: string, growth: MemorySize): void {
    const replicas = this.#replicas.list(tenantId)
    const bytes = replicas.reduce((sum, { index }) => sum + index.filterBytes, 0)
    if (bytes < this.#budget.lackOf(tenantId, growth)) return
    for (const replica of replicas) {
      replica.index.forgetFilters()
      this.#budget.measure(replica)
    }
  }

  /** Reports a tenant whose indexes have come near the bound on them. */
  #reportTight(tenantId: string): void {
    const share = this.#budget.tenantShare(tenantId)
    if (share < ROOMY_SHARE) this.#tight.delete(tenantId)
    if (share < TIGHT_SHARE || this.#tight.has(tenantId)) return
    this.#tight.add(tenantId)
    this.#options.onEvent({ kind: 'tight', tenantId, percent: Math.floor(share * 100) })
  }
}

/**
 * Moves parts of indexes to files while memory is short: original vectors of large ones, and all that searches read of
 * small ones, which can then be paged out.
 */
import type { Pause } from '../../../platform/threads/slices.ts'
import { prepareCompaction } from '../index/compaction.ts'
import type { IndexBudget } from './index-budget.ts'
import { type IndexFiles, IndexFileLost } from '../columns/index-files.ts'
import { NOTHING } from '../columns/memory-size.ts'
import { isAtWork, type Replica } from './replica.ts'
import { Abandoned } from '../index/snapshots/snapshots.ts'

/** From this share of the memory on, an index that grows waits for others to move. */
const PRESSED_SHARE = 0.9
/** How often it is looked whether something has to move. */
const LOOK_MS = 100
/** An index is laid out once it has not changed for so long. */
const SETTLED_MS = 3_000

/** What the host of the indexes does for the pager. */
export interface PagerHost {
  /** Clock in milliseconds. */
  now(): number
  /** For work on a replica; throws Abandoned once that is dropped. */
  pauseOf(replica: Replica): Pause
  /** Compacts what is due of a replica, as far as there is room. */
  compact(replica: Replica): Promise<void>
  /** Files cannot be written. */
  onLost(error: IndexFileLost): void
}

export class Pager {
  readonly #files: IndexFiles | null
  readonly #budget: IndexBudget
  readonly #host: PagerHost
  /** Replicas that may have something to move; the others have nothing, or no room for it, before they change. */
  readonly #unmoved = new Set<Replica>()
  /** Replicas that can be paged out, the one that was searched or laid out longest ago first. */
  readonly #pageable = new Set<Replica>()
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Whether large indexes have to move before the next small one is laid out. */
  #isUrgent = false
  /** What runs now: all of it, and of it what moves large indexes, or lays out a small one. */
  #pass: Promise<void> | null = null
  #movingLarge: Promise<void> | null = null
  #layingOut: Promise<void> | null = null

  /** @param files null for none: then nothing moves */
  constructor(files: IndexFiles | null, budget: IndexBudget, host: PagerHost) {
    this.#files = files
    this.#budget = budget
    this.#host = host
  }

  /** What runs now; null if nothing moves. */
  get pass(): Promise<void> | null {
    return this.#pass
  }

  noteChanged(replica: Replica): void {
    if (this.#files !== null && !replica.dropped) this.#unmoved.add(replica)
  }

  noteSearched(replica: Replica): void {
    if (this.#pageable.delete(replica)) this.#pageable.add(replica)
  }

  /** Call it when a replica was laid out or paged in. */
  notePageable(replica: Replica): void {
    if (!replica.dropped && replica.index.pages.canPageOut) this.#pageable.add(replica)
  }

  forget(replica: Replica): void {
    this.#unmoved.delete(replica)
    this.#pageable.delete(replica)
  }

  /**
   * Starts to move what has to move, unless that runs, or was looked for a moment ago.
   * @param isUrgent whether large indexes have to move now; what runs turns to them next
   */
  look(isUrgent = false): void {
    const files = this.#files
    const now = this.#host.now()
    if (files === null || !this.#budget.isShort) return
    this.#isUrgent ||= isUrgent
    if (this.#pass !== null || (!isUrgent && now - this.#lookedAt < LOOK_MS)) return
    this.#lookedAt = now
    this.#pass = this.#move(files).finally(() => {
      this.#pass = null
    })
  }

  /**
   * Lets an index that grows wait while memory is nearly full: one that has original vectors to move until those of
   * large indexes have moved, and one that is built until a small one is laid out. A search after a small change waits
   * for no layout.
   */
  async relieve(replica: Replica): Promise<void> {
    if (this.#budget.shareWith(replica.version.tenantId, NOTHING) < PRESSED_SHARE) return
    // Indexes that have nothing to move are not looked through for each batch, however many there are.
    const isLarge = replica.index.pages.movable !== null
    this.look(isLarge)
    if (isLarge || replica.building !== null) await this.#layingOut
    await this.#movingLarge
  }

  /** Pages out the first replica that is not at work. @returns false when there is none */
  pageOut(grower: Replica): boolean {
    for (const replica of this.#pageable) {
      if (replica === grower || isAtWork(replica)) continue
      this.#pageable.delete(replica)
      replica.index.pages.pageOut()
      this.#budget.measure(replica)
      return true
    }
    return false
  }

  async #move(files: IndexFiles): Promise<void> {
    await this.#moveLarge(files)
    const due = Array.from(this.#unmoved).filter((replica) => this.#mayLayOut(replica))
    for (const replica of due.sort((a, b) => a.lastUsed - b.lastUsed)) {
      if (this.#isUrgent) await this.#moveLarge(files)
      if (!this.#mayLayOut(replica)) continue
      this.#layingOut = this.#layOut(replica, files).finally(() => {
        this.#layingOut = null
      })
      await this.#layingOut
    }
    for (const replica of this.#unmoved) {
      if (isAtWork(replica) || !this.#budget.isShortFor(replica.version.tenantId)) continue
      if (replica.index.pages.movable === null && !replica.index.pages.canLayOut) this.#unmoved.delete(replica)
    }
  }

  /** Moves originals, those of the largest index first, until there is room enough. */
  #moveLarge(files: IndexFiles): Promise<void> {
    this.#isUrgent = false
    this.#movingLarge = this.#moveOriginals(files).finally(() => {
      this.#movingLarge = null
    })
    return this.#movingLarge
  }

  async #moveOriginals(files: IndexFiles): Promise<void> {
    for (let replica = this.#nextToMove(); replica !== null; replica = this.#nextToMove()) {
      const column = replica.index.pages.movable!
      try {
        await column.moveOriginals(files, this.#host.pauseOf(replica))
      } catch (error) {
        this.#noteFailure(error)
      }
      if (!replica.dropped) this.#budget.measure(replica)
      // There is no room for these on disk. There may be for others.
      if (replica.index.pages.movable === column) this.#unmoved.delete(replica)
    }
  }

  /** The largest replica that takes part in a shortage and has original vectors to move; null if there is none. */
  #nextToMove(): Replica | null {
    let next: Replica | null = null
    let most = 0
    for (const replica of this.#unmoved) {
      if (!this.#budget.isShortFor(replica.version.tenantId)) continue
      const { bytes } = this.#budget.sizeOf(replica)
      if (bytes <= most || replica.index.pages.movable === null) continue
      next = replica
      most = bytes
    }
    return next
  }

  /** Whether a replica takes part in a shortage, has not changed for a while, and has something to lay out. */
  #mayLayOut(replica: Replica): boolean {
    if (replica.dropped || isAtWork(replica) || this.#host.now() - replica.changedAt < SETTLED_MS) return false
    return this.#budget.isShortFor(replica.version.tenantId) && replica.index.pages.canLayOut
  }

  /** Lays a replica out, after a compaction that would throw away what was written before it. */
  async #layOut(replica: Replica, files: IndexFiles): Promise<void> {
    const { index } = replica
    index.pages.closeLarge()
    if (prepareCompaction(index)) await this.#host.compact(replica)
    if (replica.dropped || isAtWork(replica)) return
    this.#unmoved.delete(replica)
    replica.isWriting = true
    try {
      await index.pages.layOut(files, this.#host.pauseOf(replica))
    } catch (error) {
      this.#noteFailure(error)
    } finally {
      replica.isWriting = false
    }
    if (replica.dropped) return
    this.notePageable(replica)
    this.#budget.measure(replica)
    await this.#host.compact(replica)
  }

  /** @throws all that is neither of the files nor of memory that could not be had */
  #noteFailure(error: unknown): void {
    if (error instanceof IndexFileLost) this.#host.onLost(error)
    else if (!(error instanceof Abandoned) && !(error instanceof RangeError)) throw error
  }
}

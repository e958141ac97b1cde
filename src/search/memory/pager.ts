/**
 * Moves parts of indexes to files while memory is short: original vectors of large ones, and all that searches read of
 * small ones, which can then be paged out.
 */
import type { Pause } from '../../platform/threads/slices.ts'
import { prepareCompaction } from './compaction.ts'
import type { IndexBudget } from './index-budget.ts'
import { type IndexFiles, IndexFileLost } from './index-files.ts'
import { NOTHING } from './memory-size.ts'
import type { Replica } from './replica.ts'
import { Abandoned } from './snapshots/snapshots.ts'

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
  compact(replica: Replica): void
  /** Files cannot be written. */
  onLost(error: IndexFileLost): void
}

export class Pager {
  readonly #files: IndexFiles | null
  readonly #budget: IndexBudget
  readonly #host: PagerHost
  /** Replicas that may have something to move; the others have nothing before they change. */
  readonly #unmoved = new Set<Replica>()
  /** Replicas that can be paged out, the one that was searched or laid out longest ago first. */
  readonly #pageable = new Set<Replica>()
  #lookedAt = Number.NEGATIVE_INFINITY
  /** What runs now: all of it, its first part, and the layout of one replica in its second. */
  #pass: Promise<void> | null = null
  #movingLarge: Promise<void> | null = null
  #layingOut: Promise<void> | null = null

  /** @param files null for none: then nothing moves */
  constructor(files: IndexFiles | null, budget: IndexBudget, host: PagerHost) {
    this.#files = files
    this.#budget = budget
    this.#host = host
  }

  /** Resolves when nothing moves any more; null if nothing does. */
  get pass(): Promise<void> | null {
    return this.#pass
  }

  noteChanged(replica: Replica): void {
    if (this.#files !== null) this.#unmoved.add(replica)
  }

  noteSearched(replica: Replica): void {
    if (this.#pageable.delete(replica)) this.#pageable.add(replica)
  }

  notePagedIn(replica: Replica): void {
    if (replica.index.canPageOut) this.#pageable.add(replica)
  }

  forget(replica: Replica): void {
    this.#unmoved.delete(replica)
    this.#pageable.delete(replica)
  }

  /**
   * Starts to move what has to move, unless it was looked for a moment ago.
   * @param isUrgent whether to look all the same
   */
  look(isUrgent = false): void {
    const files = this.#files
    const now = this.#host.now()
    if (files === null || this.#pass !== null || !this.#budget.isShort) return
    if (!isUrgent && now - this.#lookedAt < LOOK_MS) return
    this.#lookedAt = now
    this.#pass = this.#move(files).finally(() => {
      this.#pass = null
    })
  }

  /**
   * Lets an index that grows wait while memory is nearly full: until the originals of large indexes have moved, and one
   * that is built also until a small one is laid out. A search after a small change does not wait for that.
   */
  async relieve(replica: Replica): Promise<void> {
    if (this.#budget.shareWith(replica.version.tenantId, NOTHING) < PRESSED_SHARE) return
    // Indexes that have nothing to move are not looked through for each batch, however many there are.
    this.look(replica.index.movable !== null)
    await this.#movingLarge
    if (replica.building !== null) await this.#layingOut
  }

  /** Pages out the first replica that is not at work. @returns false when there is none */
  pageOut(grower: Replica): boolean {
    for (const replica of this.#pageable) {
      if (replica === grower || isAtWork(replica)) continue
      this.#pageable.delete(replica)
      replica.index.pageOut()
      this.#budget.measure(replica)
      return true
    }
    return false
  }

  async #move(files: IndexFiles): Promise<void> {
    this.#movingLarge = this.#moveLarge(files).finally(() => {
      this.#movingLarge = null
    })
    await this.#movingLarge
    const due = Array.from(this.#unmoved).filter((replica) => this.#isDue(replica))
    for (const replica of due.sort((a, b) => a.lastUsed - b.lastUsed)) {
      if (!this.#isDue(replica)) continue
      this.#layingOut = this.#layOut(replica, files).finally(() => {
        this.#layingOut = null
      })
      await this.#layingOut
    }
    for (const replica of this.#unmoved) {
      const { index } = replica
      if (!isAtWork(replica) && index.movable === null && !index.canLayOut) this.#unmoved.delete(replica)
    }
  }

  /** Moves originals, those of the largest index first, until there is room enough. */
  async #moveLarge(files: IndexFiles): Promise<void> {
    for (let replica = this.#nextToMove(); replica !== null; replica = this.#nextToMove()) {
      let isMoved = false
      try {
        isMoved = await replica.index.movable!.moveOriginals(files, this.#host.pauseOf(replica))
      } catch (error) {
        this.#noteFailure(error)
      }
      if (!replica.dropped) this.#budget.measure(replica)
      // There is no room for them on disk; there may be for others.
      if (!isMoved) this.#unmoved.delete(replica)
    }
  }

  /** The largest replica that takes part in a shortage and has original vectors to move; null if there is none. */
  #nextToMove(): Replica | null {
    let next: Replica | null = null
    let most = 0
    for (const replica of this.#unmoved) {
      const { bytes } = this.#budget.sizeOf(replica)
      if (bytes <= most || !this.#budget.isShortFor(replica.version.tenantId)) continue
      if (replica.index.movable === null) continue
      next = replica
      most = bytes
    }
    return next
  }

  /** Whether a replica takes part in a shortage, has not changed for a while, and has something to lay out. */
  #isDue(replica: Replica): boolean {
    if (replica.dropped || isAtWork(replica) || this.#host.now() - replica.changedAt < SETTLED_MS) return false
    return this.#budget.isShortFor(replica.version.tenantId) && replica.index.canLayOut
  }

  async #layOut(replica: Replica, files: IndexFiles): Promise<void> {
    const { index } = replica
    index.closeLarge()
    if (prepareCompaction(index)) {
      // What is written now would be thrown away.
      this.#host.compact(replica)
      return
    }
    // Where it cannot be laid out, it is not tried again before it changes.
    this.#unmoved.delete(replica)
    replica.isWriting = true
    try {
      await index.layOut(files, this.#host.pauseOf(replica))
    } catch (error) {
      this.#noteFailure(error)
    }
    replica.isWriting = false
    if (replica.dropped) return
    this.notePagedIn(replica)
    this.#budget.measure(replica)
    this.#host.compact(replica)
  }

  #noteFailure(error: unknown): void {
    if (error instanceof IndexFileLost) this.#host.onLost(error)
    else if (!(error instanceof Abandoned)) throw error
  }
}

function isAtWork({ catchingUp, compacting, isWriting }: Replica): boolean {
  return catchingUp || compacting || isWriting
}

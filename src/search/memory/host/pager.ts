/**
 * Moves parts of indexes to files while memory is short: the original vectors of large indexes, and whole small
 * indexes, which can then be paged out.
 */
import type { Pause } from '../../../platform/threads/slices.ts'
import { prepareCompaction } from '../index/compaction.ts'
import type { IndexBudget } from './index-budget.ts'
import { type IndexFiles, IndexFileLost } from '../columns/index-files.ts'
import { NOTHING } from '../columns/memory-size.ts'
import { isAtWork, type Replica } from './replica.ts'
import { Abandoned } from '../index/snapshots/snapshots.ts'

/** Share of the memory in use from which on an index that grows waits for others to move. */
const PRESSED_SHARE = 0.9
/** Milliseconds between the starts of two passes. */
const PASS_MS = 100
/** Milliseconds without a change after which an index may be laid out. */
const SETTLED_MS = 3_000

/** Work that the host of the indexes does for the pager. */
export interface PagerHost {
  /** Clock in milliseconds. */
  now(): number
  /** Returns the pause for long work on a replica; it throws Abandoned once the replica is dropped. */
  pauseOf(replica: Replica): Pause
  /** Runs the compactions of a replica that are due, as far as there is room. */
  compact(replica: Replica): Promise<void>
  /** Called when files cannot be written. */
  onLost(error: IndexFileLost): void
}

export class Pager {
  readonly #files: IndexFiles | null
  readonly #budget: IndexBudget
  readonly #host: PagerHost
  /** Replicas that may have something to move. Until they change, other replicas have nothing, or no room on disk. */
  readonly #unmoved = new Set<Replica>()
  /** Replicas that can be paged out, the one that was searched or laid out longest ago first. */
  readonly #pageable = new Set<Replica>()
  /** When the last pass was started, on the host's clock. */
  #passedAt = Number.NEGATIVE_INFINITY
  /** Whether large indexes have to move before the next small one is laid out. */
  #isUrgent = false
  /** The pass that moves parts of indexes now; null if nothing moves. */
  #pass: Promise<void> | null = null
  /** The step of the pass that moves original vectors of large indexes; null outside such a step. */
  #movingLarge: Promise<void> | null = null
  /** The step of the pass that lays out a small index; null outside such a step. */
  #layingOut: Promise<void> | null = null

  /** @param files null for none, so that nothing moves */
  constructor(files: IndexFiles | null, budget: IndexBudget, host: PagerHost) {
    this.#files = files
    this.#budget = budget
    this.#host = host
  }

  /** The pass that moves parts of indexes now; null if nothing moves. */
  get pass(): Promise<void> | null {
    return this.#pass
  }

  /** Records that a replica has changed, so that it may have something to move. */
  noteChanged(replica: Replica): void {
    if (this.#files !== null && !replica.dropped) this.#unmoved.add(replica)
  }

  /** Records that a replica is searched, so that it is paged out after the others. */
  noteSearched(replica: Replica): void {
    if (this.#pageable.delete(replica)) this.#pageable.add(replica)
  }

  /** Records that a replica was laid out or paged in, so that it can be paged out. */
  notePageable(replica: Replica): void {
    if (!replica.dropped && replica.index.pages.canPageOut) this.#pageable.add(replica)
  }

  /** Forgets a replica that was dropped. */
  forget(replica: Replica): void {
    this.#unmoved.delete(replica)
    this.#pageable.delete(replica)
  }

  /**
   * Starts a pass while memory is short, unless a pass runs or was started a moment ago.
   * @param isUrgent whether large indexes have to move now; a pass that runs turns to them next
   */
  startPass(isUrgent = false): void {
    const files = this.#files
    const now = this.#host.now()
    if (files === null || !this.#budget.isShort) return
    this.#isUrgent ||= isUrgent
    if (this.#pass !== null || (!isUrgent && now - this.#passedAt < PASS_MS)) return
    this.#passedAt = now
    this.#pass = this.#move(files).finally(() => {
      this.#pass = null
    })
  }

  /**
   * Lets an index that grows wait while memory is nearly full. An index with original vectors to move waits until those
   * of large indexes have moved; an index that is being built also waits until a small index is laid out. A search
   * after a small change waits for no layout.
   */
  async relieve(replica: Replica): Promise<void> {
    if (this.#budget.shareWith(replica.version.tenantId, NOTHING) < PRESSED_SHARE) return
    // An urgent pass visits all indexes, so only an index with something to move may ask for one with each batch.
    const isLarge = replica.index.pages.movable !== null
    this.startPass(isLarge)
    if (isLarge || replica.building !== null) await this.#layingOut
    await this.#movingLarge
  }

  /** Pages out the first replica other than `grower` that is not at work. @returns false when there is none */
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

  /** Runs one pass: moves original vectors of large indexes, then lays out small ones. */
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

  /** Moves original vectors, those of the largest index first, until memory is not short any more. */
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
      // These vectors have no room on disk. Those of others may have.
      if (replica.index.pages.movable === column) this.#unmoved.delete(replica)
    }
  }

  /** Returns the largest replica with original vectors to move whose tenant is short of memory; null without one. */
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

  /** Tells whether a replica's tenant is short of memory, and the replica is settled and has something to lay out. */
  #mayLayOut(replica: Replica): boolean {
    if (replica.dropped || isAtWork(replica) || this.#host.now() - replica.changedAt < SETTLED_MS) return false
    return this.#budget.isShortFor(replica.version.tenantId) && replica.index.pages.canLayOut
  }

  /**
   * Lays a replica out. Compactions that are due run first, since they would throw away files that were written before.
   */
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

  /** Reports lost files, and ignores a dropped replica or a failed allocation. @throws any other error */
  #noteFailure(error: unknown): void {
    if (error instanceof IndexFileLost) this.#host.onLost(error)
    else if (!(error instanceof Abandoned) && !(error instanceof RangeError)) throw error
  }
}

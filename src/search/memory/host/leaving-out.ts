/**
 * Leaves documents out of search while the memory of their tenant is full, and takes them back once there is room: the
 * newest documents of the owners that take most give way, so that no owner can push the documents of others out of search.
 */
import { concessionsFor, type DocumentShare } from '../index/shares.ts'
import { type MemorySize, NOTHING } from '../columns/memory-size.ts'
import type { Compactions } from './compactions.ts'
import type { IndexBudget } from './index-budget.ts'
import type { Pager } from './pager.ts'
import type { Replica } from './replica.ts'
import type { Replicas } from './replicas.ts'

/** Share of a tenant's bound that is freed at once, so that not every document costs a compaction. */
const FREED_SHARE = 1 / 32
/** Share of a tenant's bound below which any document comes back. */
const RETURN_SHARE = 0.95
/** Share of what the heaviest owner takes, up to which documents of another one come back while memory is full. */
const FAIR_SHARE = 0.95
/** Attempts to make room for a document: what compactions free is known only afterwards. */
const ATTEMPTS_MAX = 3
/** Most documents that come back together. */
const RETURN_DOCUMENTS_MAX = 20
/** Bytes of memory from which on no further document comes back with the others. */
const RETURN_BYTES_MAX = 2 ** 22
/** Milliseconds until the next attempt to take documents back after one that failed: the first time, and at most. */
const [RETRY_FIRST_MS, RETRY_MAX_MS] = [1_000, 60_000]

export interface LeavingOutOptions {
  readonly budget: IndexBudget
  readonly replicas: Replicas
  readonly compactions: Compactions
  readonly pager: Pager
  /** Clock in milliseconds. */
  readonly now: () => number
}

/** When documents of a replica may come back again, after the last attempt failed. */
interface Retry {
  readonly at: number
  readonly pauseMs: number
}

export class LeavingOut {
  readonly #options: LeavingOutOptions
  readonly #retries = new WeakMap<Replica, Retry>()

  constructor(options: LeavingOutOptions) {
    this.#options = options
  }

  /**
   * Makes room for a document of a tenant whose memory is full. Where other owners take more than the document's own,
   * their newest documents are left out, and compactions give their room back.
   * @returns whether the document fits
   */
  async makeRoom(replica: Replica, growth: MemorySize, share: DocumentShare): Promise<boolean> {
    const { budget, pager } = this.#options
    const { tenantId } = replica.version
    await pager.relieve(replica)
    for (let attempt = 0; attempt < ATTEMPTS_MAX && !replica.dropped; attempt++) {
      const lack = budget.lackOf(tenantId, growth)
      if (lack <= 0) return true
      const all = this.#replicasOf(tenantId)
      const dead = deadBytesOf(all)
      const canShrink = attempt === 0 && all.some(({ index }) => index.canFreeze)
      if (lack > dead && !canShrink && !this.#concede(all, share, lack - dead)) return false
      await this.#press(all)
    }
    return !replica.dropped && budget.lackOf(tenantId, growth) <= 0
  }

  /**
   * Leaves documents out of a tenant's indexes that have outgrown the bound on them. Compactions give the room back.
   * @returns false when there is nothing to leave out, so that the indexes will not fit
   */
  relieve(tenantId: string): boolean {
    const all = this.#replicasOf(tenantId)
    const dead = deadBytesOf(all)
    if (dead === 0 && all.every(({ index }) => index.documents === 0)) return false
    const lack = this.#options.budget.lackOf(tenantId, NOTHING) - dead
    if (lack > 0 && !this.#concede(all, null, lack)) {
      for (const [owner, bytes] of sharesOf(all)) leaveOutNewest(all, owner, bytes)
    }
    void this.#press(all)
    return true
  }

  /** Tells whether documents of a replica may come back. */
  isDue(replica: Replica): boolean {
    return this.#next(replica) !== null
  }

  /**
   * Returns documents of a replica that may come back, the oldest of the owner that takes least: those that fit well
   * below the bound, and those whose owner takes less than another.
   */
  async returning(replica: Replica): Promise<readonly string[]> {
    let next = this.#next(replica)
    if (next !== null && next.bytes > next.room) {
      await this.#press(this.#replicasOf(replica.version.tenantId))
      next = this.#next(replica)
      if (next !== null && next.bytes > next.room) {
        this.#noteFailure(replica)
        return []
      }
    }
    if (next === null) return []
    let left = Math.min(RETURN_BYTES_MAX, next.room)
    const ids: string[] = []
    for (const { id, bytes } of replica.index.oldestLeftOut(next.owner, RETURN_DOCUMENTS_MAX)) {
      left -= bytes
      if (ids.length > 0 && left < 0) break
      ids.push(id)
    }
    return ids
  }

  /** Notes that these documents were tried again. @returns whether all of them came back */
  noteTried(replica: Replica, ids: readonly string[]): boolean {
    const areBack = ids.every((id) => !replica.index.isLeftOut(id))
    if (areBack) this.#retries.delete(replica)
    else this.#noteFailure(replica)
    return areBack
  }

  #noteFailure(replica: Replica): void {
    const pauseMs = this.#retries.get(replica)?.pauseMs ?? RETRY_FIRST_MS
    const at = this.#options.now() + pauseMs
    this.#retries.set(replica, { at, pauseMs: Math.min(RETRY_MAX_MS, 2 * pauseMs) })
  }

  /**
   * Returns the owner whose document may come back next, the bytes of that document, and the room that there is for it
   * without a compaction; null where none may.
   */
  #next(replica: Replica): { readonly owner: string; readonly bytes: number; readonly room: number } | null {
    const { budget, now } = this.#options
    const { index, isBuilt, dropped, version } = replica
    if (index.leftOut === 0 || !isBuilt || dropped || index.pages.pagedOutBytes > 0) return null
    if (now() < (this.#retries.get(replica)?.at ?? Number.NEGATIVE_INFINITY)) return null
    const all = this.#replicasOf(version.tenantId)
    const shares = sharesOf(all)
    const takenBy = (owner: string): number => shares.get(owner) ?? 0
    const owner = [...index.ownersLeftOut].reduce((least, each) => (takenBy(each) < takenBy(least) ? each : least))
    const heaviest = Math.max(0, ...shares.values())
    const room = Math.max(budget.roomBelow(version.tenantId, RETURN_SHARE), FAIR_SHARE * heaviest - takenBy(owner))
    if (room + deadBytesOf(all) <= 0) return null
    const [{ bytes }] = index.oldestLeftOut(owner, 1)
    return bytes > room + deadBytesOf(all) ? null : { owner, bytes, room }
  }

  /**
   * Leaves the newest documents of those owners out that take most.
   * @param share of the document that needs room; null where the indexes have outgrown their bound
   * @returns false, with nothing left out, where no owner has to give way
   */
  #concede(all: readonly Replica[], share: DocumentShare | null, lack: number): boolean {
    const shares = sharesOf(all)
    const ample = Math.max(lack, FREED_SHARE * this.#options.budget.tenant.bytes)
    const concessions = concessionsFor(shares, share, ample) ?? concessionsFor(shares, share, lack)
    if (concessions === null) return false
    for (const [owner, bytes] of concessions) leaveOutNewest(all, owner, bytes)
    return true
  }

  /** Gives back what dead documents take, and measures. */
  async #press(all: readonly Replica[]): Promise<void> {
    const { budget, compactions } = this.#options
    await Promise.all(all.map((replica) => compactions.press(replica)))
    for (const replica of all) if (!replica.dropped) budget.measure(replica)
  }

  #replicasOf(tenantId: string): Replica[] {
    return this.#options.replicas.list(tenantId)
  }
}

/** Returns what each owner takes in all these replicas. */
function sharesOf(replicas: readonly Replica[]): Map<string, number> {
  const shares = new Map<string, number>()
  for (const { index } of replicas) {
    for (const [owner, bytes] of index.shares) shares.set(owner, (shares.get(owner) ?? 0) + bytes)
  }
  return shares
}

function deadBytesOf(replicas: readonly Replica[]): number {
  return replicas.reduce((sum, { index }) => sum + index.deadBytes, 0)
}

/** Leaves the newest documents of an owner out, from each replica in proportion to what the owner takes in it. */
function leaveOutNewest(replicas: readonly Replica[], owner: string, bytes: number): void {
  const whole = sharesOf(replicas).get(owner) ?? 0
  for (const { index } of replicas) {
    const own = index.shareOf(owner)
    if (own > 0) index.leaveOutNewest(owner, (bytes * own) / whole)
  }
}

/** Runs the compactions of a thread, one at a time for each index. */
import { type Pause, threadSlices } from '../../../platform/threads/slices.ts'
import { ArenaFull } from '../columns/arena.ts'
import { IndexFileLost } from '../columns/index-files.ts'
import type { MemorySize } from '../columns/memory-size.ts'
import { compact, prepareCompaction } from '../index/compaction.ts'
import type { Pager } from './pager.ts'
import type { Replica } from './replica.ts'
import type { Room } from './room.ts'

export class Compactions {
  readonly #room: Room
  readonly #pager: Pager
  readonly #running = new Map<Replica, Promise<void>>()
  /** The compactions under way that give back what every dead document takes. */
  readonly #pressing = new Map<Replica, Promise<void>>()

  constructor(room: Room, pager: Pager) {
    this.#room = room
    this.#pager = pager
  }

  get running(): readonly Promise<void>[] {
    return [...this.#running.values(), ...this.#pressing.values()]
  }

  /**
   * Runs the compactions of a replica that are due. Resolves when they have ended; at once if they cannot begin now.
   */
  start(replica: Replica): Promise<void> {
    return this.#start(replica, false)
  }

  /**
   * Gives back what the dead documents of a replica take, however few they are, and makes closed segments smaller.
   * Resolves when that has ended; at once if it cannot begin now.
   */
  press(replica: Replica): Promise<void> {
    const pressing = this.#pressing.get(replica) ?? this.#press(replica).finally(() => this.#pressing.delete(replica))
    this.#pressing.set(replica, pressing)
    return pressing
  }

  async #press(replica: Replica): Promise<void> {
    // A compaction that runs may be one of those that leave a few dead documents.
    for (let running = this.#running.get(replica); running !== undefined; running = this.#running.get(replica)) {
      await running
    }
    await this.#start(replica, true)
  }

  #start(replica: Replica, isPressed: boolean): Promise<void> {
    if (replica.compacting || replica.isWriting || replica.dropped) return Promise.resolve()
    replica.compacting = true
    const compaction = this.#run(replica, isPressed).finally(() => this.#running.delete(replica))
    this.#running.set(replica, compaction)
    return compaction
  }

  async #run(replica: Replica, isPressed: boolean): Promise<void> {
    const { tenantId } = replica.version
    const hasRoom = (size: MemorySize): boolean =>
      isPressed ? this.#room.makeForCopy(replica, size) : this.#room.make(replica, size) === null
    const options = { isPressed, hasRoom }
    try {
      const pause: Pause = () => threadSlices.pause(tenantId)?.then(() => this.#room.relieveHeap())
      if (isPressed) await this.#freeze(replica, pause)
      while (!replica.dropped && prepareCompaction(replica.index, options) && this.#room.pageIn(replica)) {
        if (!(await compact(replica.index, pause, options)) || replica.dropped) break
        this.#pager.noteChanged(replica)
        if (isPressed) await this.#freeze(replica, pause)
        else this.#room.measure(replica)
      }
    } catch (error) {
      // Without memory for a copy, the old segments stay in use.
      if (error instanceof IndexFileLost) this.#room.loseFiles(replica, error)
      else if (!(error instanceof RangeError) && !(error instanceof ArenaFull)) throw error
    } finally {
      replica.compacting = false
    }
  }

  /** Freezes the closed segments that a compaction leaves as they are, since that takes a part of their memory only. */
  async #freeze(replica: Replica, pause: Pause): Promise<void> {
    if (replica.index.canFreeze && !this.#room.pageIn(replica)) return
    for (const segment of replica.index.freezable) {
      if (replica.dropped) return
      await segment.freeze(pause)
    }
    if (!replica.dropped) this.#room.measure(replica)
  }
}

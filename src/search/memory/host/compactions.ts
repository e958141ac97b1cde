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
  readonly #running = new Set<Promise<void>>()

  constructor(room: Room, pager: Pager) {
    this.#room = room
    this.#pager = pager
  }

  get running(): ReadonlySet<Promise<void>> {
    return this.#running
  }

  /**
   * Runs the compactions of a replica that are due. Resolves when they have ended; at once if they cannot begin now.
   */
  start(replica: Replica): Promise<void> {
    if (replica.compacting || replica.isWriting || replica.dropped) return Promise.resolve()
    replica.compacting = true
    const compaction = this.#run(replica).finally(() => this.#running.delete(compaction))
    this.#running.add(compaction)
    return compaction
  }

  async #run(replica: Replica): Promise<void> {
    const { tenantId } = replica.version
    try {
      const pause: Pause = () => threadSlices.pause(tenantId)?.then(() => this.#room.relieveHeap())
      const hasRoom = (size: MemorySize): boolean => this.#room.make(replica, size) === null
      while (!replica.dropped && prepareCompaction(replica.index) && this.#room.pageIn(replica)) {
        if (!(await compact(replica.index, pause, hasRoom)) || replica.dropped) break
        this.#pager.noteChanged(replica)
        this.#room.measure(replica)
      }
    } catch (error) {
      // Without memory for a copy, the old segments stay in use.
      if (error instanceof IndexFileLost) this.#room.loseFiles(replica, error)
      else if (!(error instanceof RangeError) && !(error instanceof ArenaFull)) throw error
    } finally {
      replica.compacting = false
    }
  }
}

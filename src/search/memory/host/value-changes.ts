/** Applies changes of values before texts, so that searches wait for them only briefly. */
import { threadSlices } from '../../../platform/threads/slices.ts'
import type { ValueChange } from '../../engine.ts'
import { idOfChange } from '../../indexing/change-ids.ts'
import { NoRoom } from '../index/tenant-index.ts'
import type { Pager } from './pager.ts'
import type { ReadingRun } from './reading-run.ts'
import { applyValues, noteReached, type Replica } from './replica.ts'
import type { Room } from './room.ts'

/** Changes that are applied between two looks at the clock. */
const STEP = 32

export interface ValueChangesOptions {
  readonly room: Room
  readonly pager: Pager
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Answers the searches for which the replica now has every value. */
  readonly wake: (replica: Replica) => void
  /** Called before the run lets other work go on. */
  readonly onPause: (run: ReadingRun) => void
}

export class ValueChanges {
  readonly #options: ValueChangesOptions

  constructor(options: ValueChangesOptions) {
    this.#options = options
  }

  /** Tells whether values are to be read before the replica can answer all its searches. */
  areDue({ target, valuesReached, isBuilt, isRestored, scanTo }: Replica): boolean {
    return (isBuilt || isRestored || scanTo > 0) && target > valuesReached
  }

  /**
   * Applies the changes of values up to the replica's target, and all that are there beyond it. Notes the documents
   * that then lack their text.
   * @throws NoRoom, and what the source throws
   */
  async apply(run: ReadingRun): Promise<void> {
    const { replica } = run
    const { room, pager, now, wake } = this.#options
    if (!room.pageIn(replica)) throw new NoRoom('no room for an index that was paged out')
    const { target, valuesReached: after } = replica
    const version = { ...replica.version, watermark: target }
    // A document that changed twice is listed under its later number only. So nothing is reached before the last batch,
    // and a text that is missing may be missing since the first number that the pass reads.
    const since = replica.isBuilt || replica.isRestored ? after + 1 : 1
    let last = after
    for await (const batch of replica.source.values.changes(version, after)) {
      for (const [i, change] of batch.entries()) {
        if (i % STEP === 0) await this.#pause(run)
        if (replica.dropped) return
        this.#applyOne(run, change, since)
      }
      last = batch.at(-1)!.seq
      replica.changes += batch.length
      replica.changedAt = now()
      pager.noteChanged(replica)
      room.measure(replica)
      if (replica.dropped) return
    }
    replica.valuesReached = Math.max(replica.valuesReached, last, target)
    if (replica.isBuilt) noteReached(replica)
    wake(replica)
  }

  async #pause(run: ReadingRun): Promise<void> {
    const slice = threadSlices.pause(run.replica.version.tenantId)
    if (slice === undefined) return
    this.#options.onPause(run)
    await slice
    this.#options.room.relieveHeap()
  }

  #applyOne({ replica, meanwhile }: ReadingRun, change: ValueChange, since: number): void {
    const { awaited } = replica
    const lacksText = applyValues(replica, change)
    const id = idOfChange(change)
    meanwhile?.set(id, change)
    if (lacksText && !('remove' in change)) awaited.note(change, since)
    else awaited.forget(id, change.seq)
  }
}

/** Brings replicas up to the watermarks of their searches. */
import { threadSlices } from '../../../platform/threads/slices.ts'
import { EngineUnavailable, type IndexChange, type IndexVersion, type RefusalReason } from '../../engine.ts'
import { ArenaFull } from '../columns/arena.ts'
import type { IndexFiles } from '../columns/index-files.ts'
import type { MemorySize } from '../columns/memory-size.ts'
import type { IndexEvent } from '../index/index-event.ts'
import { NoRoom } from '../index/tenant-index.ts'
import { BUILD_CHECK_MS, endBuildWaits } from './build-wait.ts'
import type { Compactions } from './compactions.ts'
import { type IndexBudget, SHORT_SHARE } from './index-budget.ts'
import type { Pager } from './pager.ts'
import type { Replica } from './replica.ts'
import type { Replicas } from './replicas.ts'
import type { Room } from './room.ts'
import type { SearchTurns } from './search-turns.ts'
import type { SnapshotKeeper } from './snapshot-keeper.ts'

export interface CatchUpOptions {
  readonly replicas: Replicas
  readonly room: Room
  readonly budget: IndexBudget
  readonly pager: Pager
  readonly turns: SearchTurns
  readonly compactions: Compactions
  /** Null if indexes have no snapshots. */
  readonly keeper: SnapshotKeeper | null
  /** Files for original vectors while memory is short; null for none. */
  readonly files: IndexFiles | null
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Milliseconds that a search waits for an index that is being built. */
  readonly buildWaitMs: number
  /** Called when reading the changes of an index takes longer than a slice, and again when the reading has ended. */
  readonly onCatchUp: (version: IndexVersion, isOver: boolean) => void
  readonly onEvent: (event: IndexEvent) => void
}

/** One run of catching up. */
interface Run {
  readonly replica: Replica
  /** The watermark to reach. */
  readonly target: number
  /** Whether `onCatchUp` was called for the run. */
  isAnnounced: boolean
  /** Reason to refuse the index, because memory ran out; null while there is enough. */
  shortage: RefusalReason | null
  /** Number of slices after which the run let other work go on. */
  pauses: number
}

export class CatchUp {
  readonly #options: CatchUpOptions

  constructor(options: CatchUpOptions) {
    this.#options = options
  }

  /** Reads changes up to the highest watermark of the waiting searches, unless a run reads already. */
  start(replica: Replica): void {
    if (replica.catchingUp || replica.dropped) return
    const target = replica.waiting.reduce((highest, { version }) => Math.max(highest, version.watermark), 0)
    if (target > replica.index.reached) void this.#run(replica, target)
  }

  /** Runs one catch-up. Never rejects: when the source fails, the searches that wait for its changes fail. */
  async #run(replica: Replica, target: number): Promise<void> {
    const { now, buildWaitMs } = this.#options
    const run: Run = { replica, target, isAnnounced: false, shortage: null, pauses: 0 }
    const isFirst = replica.index.reached === 0
    const began = now()
    let failure: Error | null = null
    replica.catchingUp = true
    if (isFirst) replica.building = { began, done: 0 }
    const checks = isFirst ? setInterval(() => endBuildWaits(replica, now(), buildWaitMs), BUILD_CHECK_MS) : undefined
    try {
      await this.#apply(run)
    } catch (cause) {
      if (cause instanceof NoRoom || cause instanceof ArenaFull) run.shortage ??= 'crowded'
      failure = new EngineUnavailable(`the search index cannot be brought up to date: ${messageOf(cause)}`, { cause })
    }
    clearInterval(checks)
    replica.building = null
    replica.catchingUp = false
    this.#end(run, failure, isFirst ? now() - began : null)
  }

  /** Settles the searches of a run that has ended. @param builtMs milliseconds of a first run; null for a later one */
  #end({ replica, target, isAnnounced, shortage }: Run, failure: Error | null, builtMs: number | null): void {
    const { turns, replicas, compactions, onCatchUp, onEvent } = this.#options
    turns.endReading(replica)
    if (isAnnounced) onCatchUp(replica.version, true)
    if (shortage !== null && !replica.dropped) replicas.refuse(replica, shortage)
    if (replica.dropped) {
      replicas.moveWaiting(replica)
      return
    }
    if (failure !== null) failWaiting(replica, target, failure)
    else if (replica.index.isOutgrown) {
      replicas.startAnew(replica)
      return
    } else {
      replica.index.reached = Math.max(replica.index.reached, target)
      if (builtMs !== null) {
        onEvent({ kind: 'built', from: replica.isSaved ? 'snapshot' : 'database', ms: builtMs })
        replicas.dropOtherModels(replica)
      }
      void compactions.start(replica)
    }
    if (replica.waiting.length > 0) turns.wake(replica)
  }

  /** Applies all changes up to the target. @throws NoRoom, ArenaFull, and what the source throws */
  async #apply(run: Run): Promise<void> {
    const { keeper, turns, pager } = this.#options
    const { replica, target } = run
    // The first run may be long and is announced. Later runs rarely are, and announcing costs time.
    if (replica.index.reached === 0) this.#announce(run)
    else turns.beginReading(replica)
    if (keeper !== null && replica.cursor === 0 && !replica.isSaved && !replica.isAnew) {
      await keeper.restore(replica, (size) => this.#admitSnapshot(run, size))
      if (replica.dropped) return
    }
    for await (const batch of replica.source.changes({ ...replica.version, watermark: target }, replica.cursor)) {
      for (const change of batch) {
        await this.#applyOne(run, change)
        if (replica.dropped) return
      }
      if (replica.dropped) return
      this.#noteBatch(run, batch)
      if (replica.dropped) return
      await pager.relieve(replica)
      if (replica.dropped) return
    }
    replica.cursor = Math.max(replica.cursor, target)
  }

  /** Applies one change in slices; returns early when the replica is dropped. */
  async #applyOne(run: Run, change: IndexChange): Promise<void> {
    const { room } = this.#options
    const { replica } = run
    const admits = (growth: MemorySize): boolean => (run.shortage = room.make(replica, growth)) === null
    let steps = replica.index.applying(change, admits)
    for (let isDone = false; !isDone;) {
      if (replica.dropped) return
      try {
        isDone = steps.next().done === true
      } catch (error) {
        if (!(error instanceof ArenaFull) || !room.evict(replica)) throw error
        // The index holds nothing of the document yet, so the change can be applied from the start.
        steps = replica.index.applying(change, admits)
      }
      const slice = threadSlices.pause(replica.version.tenantId)
      if (slice === undefined) continue
      if (++run.pauses > 1) this.#announce(run)
      await slice
      room.relieveHeap()
    }
  }

  /** Records how far the replica is after a batch, and measures it. */
  #noteBatch({ replica, target }: Run, batch: readonly IndexChange[]): void {
    const { pager, room, now } = this.#options
    const last = batch.at(-1)?.seq ?? 0
    if (replica.building !== null) replica.building.done = Math.min(1, last / target)
    replica.changes += batch.length
    pager.noteChanged(replica)
    replica.changedAt = now()
    // The source may have more changes with the last number, and beyond `target` it may not have listed all of them.
    replica.cursor = Math.max(replica.cursor, Math.min(target, last - 1))
    room.measure(replica)
  }

  /** Reports that the run may be long, and lets other tenants' searches no longer give way to it. */
  #announce(run: Run): void {
    if (!run.isAnnounced) this.#options.onCatchUp(run.replica.version, false)
    run.isAnnounced = true
    this.#options.turns.endReading(run.replica)
  }

  /**
   * Makes room for an index from its snapshot.
   * @returns files for its original vectors; null for memory
   * @throws NoRoom
   */
  #admitSnapshot(run: Run, size: MemorySize & { readonly fileBytes: number }): IndexFiles | null {
    const { room, budget, files } = this.#options
    run.shortage = room.make(run.replica, size)
    if (run.shortage !== null) throw new NoRoom('no room for an index from its snapshot')
    const whole = { bytes: size.bytes + size.fileBytes, heapBytes: size.heapBytes }
    return budget.shareWith(run.replica.version.tenantId, whole) < SHORT_SHARE ? null : files
  }
}

/** Fails the searches that wait for changes up to `target`. */
function failWaiting(replica: Replica, target: number, failure: Error): void {
  const failing = replica.waiting.filter(
    ({ version }) => version.watermark > replica.index.reached && version.watermark <= target,
  )
  replica.waiting = replica.waiting.filter((job) => !failing.includes(job))
  for (const job of failing) job.settle(failure)
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

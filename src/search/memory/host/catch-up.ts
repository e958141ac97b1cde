/**
 * Brings replicas up to the watermarks of their searches, and to those of writes that no search waits for: values
 * first, then texts. An index that is new reads whole documents.
 */
import { threadSlices } from '../../../platform/threads/slices.ts'
import { EngineUnavailable, type IndexChange, type IndexVersion, type RefusalReason } from '../../engine.ts'
import { byteParts } from '../../indexing/byte-parts.ts'
import { BATCH_BYTES_MAX, TEXT_BATCH } from '../../indexing/change-batches.ts'
import { idOfChange } from '../../indexing/change-ids.ts'
import { ArenaFull } from '../columns/arena.ts'
import type { IndexFiles } from '../columns/index-files.ts'
import type { MemorySize } from '../columns/memory-size.ts'
import type { IndexEvent } from '../index/index-event.ts'
import type { DocumentShare } from '../index/shares.ts'
import { NoRoom } from '../index/tenant-index.ts'
import { BUILD_CHECK_MS, endBuildWaits } from './build-wait.ts'
import type { Compactions } from './compactions.ts'
import { type IndexBudget, SHORT_SHARE, TIGHT_SHARE } from './index-budget.ts'
import type { LeavingOut } from './leaving-out.ts'
import type { Pager } from './pager.ts'
import type { ReadingRun } from './reading-run.ts'
import { applyValues, noteReached, noteTexts, type Replica } from './replica.ts'
import type { Replicas } from './replicas.ts'
import type { Room } from './room.ts'
import type { SearchTurns } from './search-turns.ts'
import type { SnapshotKeeper } from './snapshot-keeper.ts'
import { ValueChanges } from './value-changes.ts'

/** Milliseconds after a failed run until it is repeated for searches that still wait. */
const RETRY_MS = 250
/** Share of its documents that an index from a snapshot may lack when it answers. */
const MISSING_MAX = 0.1
/** Batches of texts between two compactions of a run that does not end. */
const COMPACTION_BATCHES = 50
/**
 * Most milliseconds of one rest. Searches of others get in between the slices of a batch anyway. A longer rest would
 * only leave texts out of search for longer, after a batch of a few very long ones.
 */
const REST_MAX_MS = 250
/** Attempts to store a document for which the tenant's memory has no room at first. */
const FIT_ATTEMPTS_MAX = 2

export interface CatchUpOptions {
  readonly replicas: Replicas
  readonly room: Room
  readonly budget: IndexBudget
  readonly pager: Pager
  readonly turns: SearchTurns
  readonly compactions: Compactions
  readonly leavingOut: LeavingOut
  /** Null if indexes have no snapshots. */
  readonly keeper: SnapshotKeeper | null
  /** Files for original vectors while memory is short; null for none. */
  readonly files: IndexFiles | null
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Processor time of this thread in milliseconds. */
  readonly processorMs: () => number
  /** Milliseconds that a search waits for an index that is being built. */
  readonly buildWaitMs: number
  /** Called when reading the changes of an index takes longer than a slice, and again when the reading has ended. */
  readonly onCatchUp: (version: IndexVersion, isOver: boolean) => void
  readonly onEvent: (event: IndexEvent) => void
}

/** A document that the tenant's memory has no room for. */
interface Refused {
  readonly growth: MemorySize
  readonly share: DocumentShare
}

export class CatchUp {
  readonly #options: CatchUpOptions
  readonly #values: ValueChanges
  /** The runs of the replicas that read changes. */
  readonly #runs = new Map<Replica, ReadingRun>()

  constructor(options: CatchUpOptions) {
    this.#options = options
    const { room, pager, now, turns } = options
    this.#values = new ValueChanges({
      room,
      pager,
      now,
      wake: (replica) => turns.wake(replica),
      onPause: (run) => this.#notePause(run),
    })
  }

  /**
   * Reads changes up to the highest watermark that the replica knows of, unless a run reads already. Takes documents
   * back that were left out, where there is room for them again.
   */
  start(replica: Replica): void {
    for (const { version } of replica.waiting) replica.target = Math.max(replica.target, version.watermark)
    if (replica.dropped) return
    const run = this.#runs.get(replica)
    const isBehind = replica.target > replica.index.reached
    if (!isBehind && (run !== undefined || !this.#options.leavingOut.isDue(replica))) return
    if (isBehind) replica.lag.noteArrived(replica.target, this.#options.now())
    if (run === undefined) {
      void this.#run(replica)
      return
    }
    if (!run.isAnnounced && replica.waiting.length > 0) this.#options.turns.beginReading(replica)
    this.#startValues(run)
    if (replica.waiting.length > 0) run.endRest?.()
  }

  /** Ends the rest of a replica that was dropped, so that its run ends, too. */
  forget(replica: Replica): void {
    this.#runs.get(replica)?.endRest?.()
  }

  /** Runs one catch-up. Never rejects: when the source fails, the searches that wait for its changes fail. */
  async #run(replica: Replica): Promise<void> {
    const { now, buildWaitMs } = this.#options
    const isFirst = !replica.isBuilt
    const began = now()
    const run: ReadingRun = {
      replica,
      isFirst,
      began,
      isAnnounced: false,
      shortage: null,
      unmeasured: 0,
      pauses: 0,
      meanwhile: null,
      valuesPass: null,
      failure: null,
      endRest: null,
    }
    let failure: Error | null = null
    replica.catchingUp = true
    this.#runs.set(replica, run)
    if (isFirst) replica.building = { began, done: 0 }
    const checks =
      isFirst || replica.isRestored
        ? setInterval(() => endBuildWaits(replica, now(), buildWaitMs), BUILD_CHECK_MS)
        : undefined
    try {
      await this.#apply(run)
      while (run.valuesPass !== null) await run.valuesPass
      if (run.failure !== null) throw run.failure
    } catch (cause) {
      run.failure ??= cause as Error
      while (run.valuesPass !== null) await run.valuesPass
      if (cause instanceof NoRoom || cause instanceof ArenaFull) run.shortage ??= 'crowded'
      failure = new EngineUnavailable(`the search index cannot be brought up to date: ${messageOf(cause)}`, { cause })
    }
    clearInterval(checks)
    replica.building = null
    replica.catchingUp = false
    replica.isResting = false
    this.#runs.delete(replica)
    this.#end(run, failure)
  }

  /** Settles the searches of a run that has ended. */
  #end({ replica, isAnnounced, shortage }: ReadingRun, failure: Error | null): void {
    const { turns, replicas, compactions, onCatchUp } = this.#options
    turns.endReading(replica)
    if (isAnnounced) onCatchUp(replica.version, true)
    if (shortage !== null && !replica.dropped) replicas.refuse(replica, shortage)
    if (replica.dropped) {
      replicas.moveWaiting(replica)
      return
    }
    if (failure !== null) {
      failWaiting(replica, failure)
      // Searches that wait for texts alone are answered without them in the end. Until then the run may be repeated.
      setTimeout(() => turns.wake(replica), RETRY_MS).unref()
      return
    }
    // The documents that wait for their texts may bring vectors of the index's size.
    if (replica.index.isOutgrown && replica.awaited.size === 0) {
      replicas.startAnew(replica)
      return
    }
    // An index that was paged out stays so until its next search, which also reads on.
    if (!isLeftInFiles(replica)) {
      void compactions.start(replica)
      // Values that were read last may lack their texts.
      this.start(replica)
    }
    if (replica.waiting.length > 0) turns.wake(replica)
  }

  /** Applies all changes up to the target. @throws NoRoom, ArenaFull, and what the source throws */
  async #apply(run: ReadingRun): Promise<void> {
    const { keeper, turns, room, compactions, processorMs } = this.#options
    const { replica } = run
    // The first run may be long and is announced. Later runs rarely are, and announcing costs time.
    if (run.isFirst) this.#announce(run)
    else if (replica.waiting.length > 0) turns.beginReading(replica)
    if (keeper !== null && run.isFirst && replica.cursor === 0 && !replica.isAnew) {
      await this.#restore(run, keeper)
      if (replica.dropped) return
    }
    if (!replica.isSaved && run.isFirst) {
      await this.#build(run)
      if (replica.dropped) return
    }
    if (replica.isRestored && replica.target > replica.index.reached) {
      await this.#fill(run)
      if (replica.dropped) return
    }
    this.#endBuild(run)
    for (let batches = 1; replica.target > replica.index.reached; batches++) {
      await this.#freshen(run)
      if (replica.dropped) return
      if (!room.pageIn(replica)) throw new NoRoom('no room for an index that was paged out')
      const began = processorMs()
      await this.#applyTexts(run)
      if (replica.dropped) return
      noteReached(replica)
      room.measure(replica)
      if (replica.dropped) return
      turns.wake(replica)
      if (batches % COMPACTION_BATCHES === 0) void compactions.start(replica)
      await rest(run, Math.min(REST_MAX_MS, processorMs() - began))
      if (replica.dropped || isLeftInFiles(replica)) return
    }
    await this.#bringBack(run)
  }

  /** Reads the index from its snapshot. Where the tenant's memory has no room for it, the index is built instead. */
  async #restore(run: ReadingRun, keeper: SnapshotKeeper): Promise<void> {
    try {
      await keeper.restore(run.replica, (size) => this.#admitSnapshot(run, size))
    } catch (error) {
      if (!(error instanceof NoRoom) || run.shortage !== 'tenant') throw error
      run.shortage = null
    }
  }

  /** Takes documents back that were left out, as long as there is room for them and no change waits. */
  async #bringBack(run: ReadingRun): Promise<void> {
    const { leavingOut, room } = this.#options
    const { replica } = run
    while (replica.target <= replica.index.reached) {
      const ids = await leavingOut.returning(replica)
      if (ids.length === 0 || replica.dropped) return
      run.meanwhile = new Map()
      const changes = await replica.source.values.documents(replica.version, ids, Number.MAX_SAFE_INTEGER)
      if (replica.dropped) return
      await this.#applyBatch(run, changes)
      run.meanwhile = null
      if (replica.dropped) return
      // The others are gone: their changes say so.
      const present = new Set(changes.map(idOfChange))
      for (const id of ids) if (!present.has(id)) replica.index.forgetLeftOut(id)
      replica.changes += changes.length
      replica.changedAt = this.#options.now()
      run.unmeasured = 0
      room.measure(replica)
      if (replica.dropped || !leavingOut.noteTried(replica, ids)) return
    }
  }

  /**
   * Builds an index from whole documents as of the first search. Changes that come meanwhile change the values of the
   * documents that are there, and the others wait.
   */
  async #build(run: ReadingRun): Promise<void> {
    const { replica } = run
    const { source, version } = replica
    if (replica.scanTo === 0) {
      replica.scanTo = replica.target
      replica.valuesReached = replica.target
      if (source.values.mayLag) replica.sinceScan = new Map()
    }
    run.meanwhile = replica.sinceScan ?? new Map()
    replica.expected = await source.values.count(version, Number.MAX_SAFE_INTEGER)
    for await (const batch of source.changes({ ...version, watermark: replica.scanTo }, replica.cursor)) {
      await this.#applyBatch(run, batch)
      run.meanwhile = replica.sinceScan ?? new Map()
      if (replica.dropped) return
      this.#noteBatch(run, batch, replica.scanTo)
      if (!replica.dropped) await this.#options.pager.relieve(replica)
      if (replica.dropped || (batch.at(-1)?.seq ?? 0) > replica.scanTo) break
    }
    replica.cursor = replica.scanTo
    replica.sinceScan = null
    run.meanwhile = null
    // Finds the documents that the scan has missed because they changed meanwhile.
    await this.#readOn(run)
  }

  /**
   * Reads what came after a snapshot. As long as more than a few of the documents are missing, the index counts as
   * being built: an answer without them would hide what was there before the restart.
   */
  async #fill(run: ReadingRun): Promise<void> {
    const { replica } = run
    const { index, awaited } = replica
    replica.isBuilt = false
    // Searches wait for the values as for a build.
    replica.building = { began: run.began, done: 0 }
    await this.#freshen(run)
    if (replica.dropped) return
    const missing = awaited.first(Infinity).filter(({ id }) => index.seqOf(id) === 0).length
    replica.expected = index.documents + missing
    while (awaited.size > 0 && index.documents < (1 - MISSING_MAX) * replica.expected) {
      replica.building = { began: run.began, done: index.documents / replica.expected }
      await this.#applyTexts(run)
      if (replica.dropped) return
      this.#options.room.measure(replica)
      if (replica.dropped) return
    }
    replica.isRestored = false
  }

  /** Notes that the index has every document as of some change, so that searches need not wait for the build. */
  #endBuild({ replica, isFirst, began }: ReadingRun): void {
    const { onEvent, now, replicas, turns } = this.#options
    replica.isBuilt = true
    noteReached(replica)
    replica.building = null
    // Searches that waited for the index now wait for texts at most.
    turns.wake(replica)
    if (!isFirst) return
    onEvent({ kind: 'built', from: replica.isSaved ? 'snapshot' : 'database', ms: now() - began })
    replicas.dropOtherModels(replica)
  }

  /** Applies the texts that have waited longest. */
  async #applyTexts(run: ReadingRun): Promise<void> {
    const { replica } = run
    const { awaited, version, source } = replica
    const [some = []] = byteParts(awaited.first(TEXT_BATCH), BATCH_BYTES_MAX)
    if (some.length === 0) return
    const began = this.#options.now()
    const ids = some.map(({ id }) => id)
    run.meanwhile = new Map()
    // Also documents that have changed again: otherwise those that change all the time would hold up the others.
    const changes = await source.values.documents(version, ids, Number.MAX_SAFE_INTEGER)
    if (replica.dropped) return
    await this.#applyBatch(run, changes)
    run.meanwhile = null
    if (replica.dropped) return
    noteTexts(replica, this.#options.now() - began, changes.length)
    this.#options.pager.noteChanged(replica)
    replica.changedAt = this.#options.now()
    await this.#options.pager.relieve(replica)
    if (replica.dropped || changes.length === ids.length) return
    // The others are gone: their changes say so.
    const missing = some.filter(({ id }) => !changes.some((change) => idOfChange(change) === id))
    await this.#readOn(run)
    for (const each of missing) awaited.forgetUnseen(each)
  }

  /** Reads the values of all changes up to now. @throws what reading them throws */
  async #readOn(run: ReadingRun): Promise<void> {
    await this.#freshen(run)
    if (run.replica.dropped) return
    run.valuesPass = this.#readValues(run)
    await run.valuesPass
    if (run.failure !== null) throw run.failure
  }

  /** Brings the values of a replica up to its target. @throws what reading them throws */
  async #freshen(run: ReadingRun): Promise<void> {
    while (!run.replica.dropped && (run.valuesPass !== null || this.#values.areDue(run.replica))) {
      this.#startValues(run)
      await run.valuesPass
      if (run.failure !== null) throw run.failure
    }
  }

  /** Reads values beside whatever the run reads, unless it does already or has nothing to read. */
  #startValues(run: ReadingRun): void {
    if (run.valuesPass !== null || run.failure !== null || !this.#values.areDue(run.replica)) return
    run.valuesPass = this.#readValues(run)
    noteRest(run)
  }

  /** Reads values once. Never rejects; the run notes a failure. */
  async #readValues(run: ReadingRun): Promise<void> {
    try {
      await this.#values.apply(run)
    } catch (error) {
      run.failure ??= error as Error
    }
    run.valuesPass = null
    noteRest(run)
    if (!run.replica.dropped) this.#startValues(run)
  }

  /** Applies documents, each with the values that came since it was read. */
  async #applyBatch(run: ReadingRun, changes: readonly IndexChange[]): Promise<void> {
    const { replica } = run
    const { index, awaited } = replica
    for (const change of changes) {
      const id = idOfChange(change)
      if (index.seqOf(id) > change.seq && !('put' in change)) continue
      await this.#applyOne(run, change)
      if (replica.dropped) return
      if ('put' in change) awaited.noteApplied(id, change.textSeq ?? change.seq)
      else awaited.forget(id, change.seq)
    }
  }

  /**
   * Applies one change in slices, and with its last step the values that came meanwhile: a search between the two would
   * see values from before. A document for which the tenant's memory has no room is left out of search. Returns early
   * when the replica is dropped.
   */
  async #applyOne(run: ReadingRun, change: IndexChange): Promise<void> {
    const { room, leavingOut } = this.#options
    const { replica } = run
    let refused: Refused | null = null
    const admits = (growth: MemorySize, share: DocumentShare): boolean => {
      run.shortage = this.#admit(run, growth)
      refused = run.shortage === 'tenant' ? { growth, share } : null
      return run.shortage === null
    }
    let steps = replica.index.applying(change, admits)
    for (let isDone = false, attempts = 1; !isDone;) {
      if (replica.dropped) return
      try {
        isDone = steps.next().done === true
        if (isDone) applyLater(run, change)
      } catch (error) {
        const lacking = refused as Refused | null
        if (error instanceof NoRoom && lacking !== null && 'put' in change) {
          run.shortage = null
          const fits =
            attempts++ < FIT_ATTEMPTS_MAX && (await leavingOut.makeRoom(replica, lacking.growth, lacking.share))
          if (replica.dropped) return
          if (!fits) {
            replica.index.leaveOut(change.put.id, change.textSeq ?? change.seq, lacking.share)
            applyLater(run, change)
            return
          }
        } else if (!(error instanceof ArenaFull) || !room.evict(replica)) throw error
        // The index holds nothing of the document yet, so the change can be applied from the start.
        steps = replica.index.applying(change, admits)
      }
      const slice = threadSlices.pause(replica.version.tenantId)
      if (slice === undefined) continue
      this.#notePause(run)
      await slice
      room.relieveHeap()
      if (run.failure !== null) throw run.failure
    }
  }

  /**
   * Makes room for a document. Near the bound the replica is measured before, since what it grew by was only estimated.
   * @returns the reason why there is no room; null if there is
   */
  #admit(run: ReadingRun, growth: MemorySize): RefusalReason | null {
    const { budget, room } = this.#options
    const { tenantId } = run.replica.version
    run.unmeasured += growth.bytes
    if (run.unmeasured > budget.roomBelow(tenantId, TIGHT_SHARE)) {
      budget.measure(run.replica)
      run.unmeasured = growth.bytes
    }
    return room.make(run.replica, growth)
  }

  /** Records how far the replica is after a batch, and measures it. */
  #noteBatch({ replica }: ReadingRun, batch: readonly IndexChange[], target: number): void {
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

  #notePause(run: ReadingRun): void {
    if (++run.pauses > 1) this.#announce(run)
  }

  /** Reports that the run may be long, and lets other tenants' searches no longer give way to it. */
  #announce(run: ReadingRun): void {
    if (!run.isAnnounced) this.#options.onCatchUp(run.replica.version, false)
    run.isAnnounced = true
    this.#options.turns.endReading(run.replica)
  }

  /**
   * Makes room for an index from its snapshot.
   * @returns files for its original vectors; null for memory
   * @throws NoRoom
   */
  #admitSnapshot(run: ReadingRun, size: MemorySize & { readonly fileBytes: number }): IndexFiles | null {
    const { room, budget, files } = this.#options
    run.shortage = room.make(run.replica, size)
    if (run.shortage !== null) throw new NoRoom('no room for an index from its snapshot')
    const whole = { bytes: size.bytes + size.fileBytes, heapBytes: size.heapBytes }
    return budget.shareWith(run.replica.version.tenantId, whole) < SHORT_SHARE ? null : files
  }
}

/**
 * Leaves the thread to others for a while when no search waits for the texts that are still to be read. Ends when a
 * search comes, or when the replica is dropped to make room.
 */
async function rest(run: ReadingRun, ms: number): Promise<void> {
  const { waiting, target, index, dropped } = run.replica
  if (dropped || waiting.length > 0 || target <= index.reached) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms).unref()
    run.endRest = () => {
      clearTimeout(timer)
      resolve()
    }
    noteRest(run)
  })
  run.endRest = null
  noteRest(run)
}

/** Lets the replica make room for others while its run rests and nothing reads values beside it. */
function noteRest({ replica, endRest, valuesPass }: ReadingRun): void {
  replica.isResting = endRest !== null && valuesPass === null
}

/** Tells whether a replica was paged out and no search wants it back. */
function isLeftInFiles({ index, waiting }: Replica): boolean {
  return waiting.length === 0 && index.pages.pagedOutBytes > 0
}

/** Gives a document that was just applied the values that came since it was read. */
function applyLater({ replica, meanwhile }: ReadingRun, change: IndexChange): void {
  const later = meanwhile?.get(idOfChange(change))
  if (later !== undefined && later.seq > change.seq) applyValues(replica, later)
}

/** Fails the searches that cannot be answered without the changes that could not be read. */
function failWaiting(replica: Replica, failure: Error): void {
  const reached = replica.isBuilt ? replica.valuesReached : replica.index.reached
  const failing = replica.waiting.filter(
    ({ version }) => version.watermark > reached && version.watermark <= replica.target,
  )
  replica.waiting = replica.waiting.filter((job) => !failing.includes(job))
  for (const job of failing) job.settle(failure)
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

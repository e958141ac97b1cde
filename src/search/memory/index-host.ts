import {
  type EngineStatus,
  EngineUnavailable,
  IndexBuilding,
  IndexRefused,
  type IndexSource,
  type IndexVersion,
  type RefusalReason,
} from '../engine.ts'
import { FairQueue } from '../../platform/threads/fair-queue.ts'
import { type Pause, threadSlices } from '../../platform/threads/slices.ts'
import { Arena, ArenaFull } from './arena.ts'
import { compact, prepareCompaction } from './compaction.ts'
import { IndexBudget, type MemoryLimits, SHORT_SHARE, TIGHT_SHARE } from './index-budget.ts'
import { Pager } from './pager.ts'
import {
  type Replica,
  isAtWork,
  isExpensive,
  isIdle,
  type Job,
  newReplica,
  noteSearches,
  remainingMs,
  statusOf,
  batchMax,
  TURN_MS,
  type Waiting,
} from './replica.ts'
import { type MemorySize, NOTHING } from './memory-size.ts'
import { NoRoom, TenantIndex } from './tenant-index.ts'
import { languageAnalyser, type TextAnalyser } from './text-analyser.ts'
import type { HostEvent } from './protocol.ts'
import { type IndexFiles, IndexFileLost } from './index-files.ts'
import { Abandoned, isSnapshotDue, type Snapshots } from './snapshots/snapshots.ts'
import { createVectorMemory, type VectorMemory } from './vector-column.ts'
import { loadKernel } from './vector-kernel.ts'

/** One run of catching up: whether `onCatchUp` was called for it, and what memory it ran out of. */
interface CatchUp {
  isTold: boolean
  shortage: RefusalReason | null
}

/** Searches make an index grow too, but slowly, so its size is measured only this often. */
const MEASURE_MS = 1_000
/** How often searches that wait for a build are looked through, and how long one must run to say how long it takes. */
const BUILD_LOOK_MS = 200
const BUILD_KNOWN_MS = 2_000
/** A tenant that is near its bound is told of once, and again after its indexes took less than this share. */
const ROOMY_SHARE = 0.8
/** The longest time after which a client is asked to try again. */
const RETRY_MAX_MS = 60_000
/** How often it is looked, while memory is short, for a large index that nobody searches. */
const FORGOTTEN_LOOK_MS = 1_000
/** How often the snapshot of an index in use is marked as used. */
const TOUCH_MS = 5 * 60_000

export interface IndexHostOptions {
  readonly analyser?: TextAnalyser
  /** Clock in milliseconds. */
  readonly now?: () => number
  /** Whether the thread's heap is nearly full; asked between slices. */
  readonly isHeapShort?: () => boolean
  /** Called when reading the changes of an index takes longer than a slice, and again when it has ended. */
  readonly onCatchUp?: (version: IndexVersion, isOver: boolean) => void
  /** Where indexes are kept on disk; by default nowhere. */
  readonly snapshots?: Snapshots | null
  readonly onEvent?: (event: HostEvent) => void
  /** How long a search waits for an index that is built; by default as long as that takes. */
  readonly buildWaitMs?: number
  /** Bound of the memory for vectors; by default what a WebAssembly memory can have. */
  readonly arenaBytesMax?: number
  /** Where parts of indexes go while memory is short; by default they stay in memory. */
  readonly files?: IndexFiles | null
  /** Called once when no more can be kept in files. */
  readonly onFilesLost?: (error: Error) => void
}

/**
 * All indexes of one thread. The host brings each index up to the watermarks of its searches, answers searches in
 * batches, and keeps the indexes within their budget; `IndexBudget` decides which index makes room. An index without
 * room is given up at once, and its searches fail with `IndexRefused`.
 */
export class IndexHost {
  readonly #sources: ReadonlyMap<string, IndexSource>
  readonly #budget: IndexBudget
  readonly #analyser: TextAnalyser
  readonly #now: () => number
  readonly #isHeapShort: () => boolean
  readonly #onCatchUp: (version: IndexVersion, isOver: boolean) => void
  readonly #memory: VectorMemory
  #replicas = new Map<string, Replica>()
  /** Replicas whose searches arrived in this turn of the event loop. */
  readonly #called = new Set<Replica>()
  /** Replicas with searches to answer; tenants take turns. */
  readonly #due = new FairQueue<Replica>()
  #lastAnswered = ''
  /** Replicas that are reading a few changes for a waiting search. */
  readonly #reading = new Set<Replica>()
  #scheduled = false
  #isTimerSet = false
  #clock = 0
  /** Tenants whose indexes are near their bound. */
  readonly #tight = new Set<string>()
  #compactions = new Set<Promise<void>>()
  readonly #onEvent: (event: HostEvent) => void
  readonly #buildWaitMs: number
  readonly #snapshots: Snapshots | null
  /** Whether snapshots that are due are being written, one by one, and the one that is written now. */
  #isSaving = false
  #saving: Promise<void> | null = null
  readonly #onFilesLost: (error: Error) => void
  #areFilesLost = false
  #forgottenLookAt = Number.NEGATIVE_INFINITY
  readonly #pager: Pager

  constructor(sources: readonly IndexSource[], limits: MemoryLimits, options: IndexHostOptions = {}) {
    const arena = new Arena(options.arenaBytesMax)
    this.#sources = new Map(sources.map((source) => [source.definition.name, source]))
    this.#budget = new IndexBudget(limits)
    this.#analyser = options.analyser ?? languageAnalyser
    this.#now = options.now ?? (() => performance.now())
    this.#isHeapShort = options.isHeapShort ?? (() => false)
    this.#onCatchUp = options.onCatchUp ?? (() => undefined)
    this.#buildWaitMs = options.buildWaitMs ?? Infinity
    this.#onEvent = options.onEvent ?? (() => undefined)
    this.#snapshots = options.snapshots ?? null
    this.#onFilesLost = options.onFilesLost ?? (() => undefined)
    this.#memory = createVectorMemory(arena, loadKernel(arena.memory), options.files)
    this.#pager = new Pager(this.#memory.files, this.#budget, {
      now: this.#now,
      pauseOf: (replica) => this.#pauseOf(replica),
      compact: (replica) => this.#startCompaction(replica),
      onLost: (error) => this.#giveUpFiles(error),
    })
  }

  submit(job: Job): void {
    const replica = this.#replicaFor(job.version)
    if (replica === null) {
      job.settle(new RangeError(`no index is called ${job.version.index}`))
      return
    }
    replica.waiting.push({ ...job, since: this.#now() })
    this.#wake(replica)
  }

  /** Drops a tenant's replicas and snapshots; waiting searches move to new ones. */
  async drop(tenantId: string): Promise<void> {
    // The list is made first, because waiting searches move to new replicas, which must stay.
    const held = [...this.#replicas.values()].filter(({ version }) => version.tenantId === tenantId)
    for (const replica of held) this.#drop(replica)
    // A snapshot that is being written appears when it is whole, unless its replica was dropped.
    await this.#saving
    await this.#snapshots?.remove(tenantId)
  }

  /**
   * Gives back the memory of tenants that another process holds. Their snapshots stay, and an index that is needed all
   * the same comes back with its next search.
   * @returns whether no index of such a tenant is left; one that is being built or searched stays for now
   */
  keepOnly(isOurs: (tenantId: string) => boolean): boolean {
    const foreign = Array.from(this.#replicas.values()).filter(({ version }) => !isOurs(version.tenantId))
    for (const replica of foreign) if (isIdle(replica)) this.#drop(replica)
    return foreign.every(({ dropped }) => dropped)
  }

  /**
   * Reads the indexes that were used last from their snapshots, as long as there is room. The other snapshots are looked
   * through beside searches, since those that are of no use have to go: they may know what was erased.
   * @param isOurs of which tenants
   */
  warm(isOurs: (tenantId: string) => boolean = () => true): Promise<void> {
    const { promise: isWarm, resolve } = Promise.withResolvers<void>()
    void this.#readSnapshots(isOurs, resolve).finally(resolve)
    return isWarm
  }

  /** @param onFull called when there is no room for another index */
  async #readSnapshots(isOurs: (tenantId: string) => boolean, onFull: () => void): Promise<void> {
    if (this.#snapshots === null) return
    let isFull = false
    for await (const { tenantId, index, model, bytes, heapBytes } of this.#snapshots.usable(this.#sources)) {
      if (!isOurs(tenantId)) continue
      const size = { bytes, heapBytes }
      isFull ||= !this.#budget.fitsWhole(size)
      if (isFull) onFull()
      if (isFull || !this.#budget.fitsTenant(tenantId, size)) continue
      // The first change is enough to wait for: then all others are read, too.
      await new Promise((resolve) => {
        this.submit({ version: { tenantId, index, model, watermark: 1 }, request: null, settle: resolve })
      })
    }
  }

  /** Writes the snapshots that are due, one after the other. Call it every few seconds. */
  async saveDue(): Promise<void> {
    const snapshots = this.#snapshots
    if (snapshots === null || this.#isSaving) return
    this.#isSaving = true
    // The list is made first, since others come and go while one is written.
    for (const replica of Array.from(this.#replicas.values())) {
      this.#saving = this.#saveIfDue(replica, snapshots)
      await this.#saving
    }
    this.#saving = null
    this.#isSaving = false
  }

  /** Of all indexes, or of one tenant's with the bound on them. */
  status(tenantId: string | null = null): EngineStatus {
    const all = [...this.#replicas.values()]
    if (tenantId === null) return statusOf(all, this.#budget.whole.bytes)
    const own = all.filter(({ version }) => version.tenantId === tenantId)
    return statusOf(own, this.#budget.tenant.bytes)
  }

  /** The memory of all indexes when last measured. */
  get held(): MemorySize {
    return this.#budget.held
  }

  /** Size of the memory for vectors. It never shrinks; freed parts are reused. */
  get reservedBytes(): number {
    return this.#memory.arena.memory.buffer.byteLength
  }

  /** Resolves when no compaction is running, and nothing is on its way to a file. */
  async settled(): Promise<void> {
    while (this.#compactions.size > 0 || this.#pager.pass !== null) {
      await Promise.all([...this.#compactions, this.#pager.pass])
    }
  }

  #replicaFor(version: IndexVersion): Replica | null {
    const source = this.#sources.get(version.index)
    if (source === undefined) return null
    const key = JSON.stringify([version.tenantId, version.index, version.model])
    let replica = this.#replicas.get(key)
    if (replica === undefined) {
      const index = new TenantIndex(source.definition, this.#memory, this.#analyser)
      replica = newReplica(key, version, source, index)
      replica.savedAt = this.#now()
      this.#replicas.set(key, replica)
    }
    replica.lastUsed = ++this.#clock
    replica.usedAt = this.#now()
    return replica
  }

  /** Schedules the replica's searches, after all messages that have arrived by now are read. */
  #wake(replica: Replica): void {
    this.#called.add(replica)
    if (!replica.isDue) this.#due.push(replica.version.tenantId, replica)
    replica.isDue = true
    this.#schedule()
  }

  /**
   * Starts to catch up every index that is behind, then searches one index per turn of the event loop, always of
   * another tenant than the last if possible. So a search waits for at most one batch of each other tenant, even while
   * it catches up.
   */
  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      for (const replica of this.#called) this.#startCatchUp(replica)
      this.#called.clear()
      const replica = this.#nextDue()
      if (replica === null) return
      replica.isDue = false
      this.#serve(replica)
      if (!this.#due.isEmpty) this.#schedule()
    })
  }

  /** The replica to answer next. Null if all that are due give way; a timer then tries again. */
  #nextDue(): Replica | null {
    const passed: Replica[] = []
    let next: Replica | null = null
    while (next === null && !this.#due.isEmpty) {
      const replica = this.#due.shift((tenantId) => tenantId !== this.#lastAnswered) ?? this.#due.shift()!
      if (this.#givesWay(replica)) passed.push(replica)
      else next = replica
    }
    for (const replica of passed) this.#due.push(replica.version.tenantId, replica)
    if (passed.length > 0) this.#scheduleLater()
    return next
  }

  /**
   * Expensive searches wait up to one turn while another tenant's search reads changes from the database. Otherwise
   * that search would wait for an expensive one after each of its statements.
   */
  #givesWay(replica: Replica): boolean {
    const { tenantId } = replica.version
    const isAsked = isExpensive(replica) && this.#reading.values().some(({ version }) => version.tenantId !== tenantId)
    if (isAsked) replica.gaveWayAt ??= this.#now()
    if (isAsked && this.#now() - replica.gaveWayAt! < TURN_MS) return true
    replica.gaveWayAt = null
    return false
  }

  #scheduleLater(): void {
    if (this.#isTimerSet) return
    this.#isTimerSet = true
    setTimeout(() => {
      this.#isTimerSet = false
      this.#schedule()
    }, TURN_MS)
  }

  /**
   * Answers searches of one index until its turn is over. The turn is bounded by measured time, not by the number of
   * searches: after one search that the operating system delayed, many cheap ones can still share the turn. A batch
   * that took half of the turn is the last one, because a small batch for the rest would share too little of a scan.
   */
  #serve(replica: Replica): void {
    const began = this.#now()
    this.#pager.noteSearched(replica)
    if (!this.#pageIn(replica)) {
      if (!replica.dropped) this.#refuse(replica, 'crowded')
      return
    }
    // Another index may have displaced this one meanwhile.
    for (let tookMs = 0; tookMs < TURN_MS / 2 && !replica.dropped; tookMs = this.#now() - began) {
      const ready = takeReady(replica, batchMax(replica, TURN_MS - tookMs))
      if (ready.length === 0) break
      this.#lastAnswered = replica.version.tenantId
      this.#answer(replica, ready)
    }
    if (replica.dropped) return
    if (this.#now() - replica.measuredAt >= MEASURE_MS) this.#measure(replica)
    if (replica.dropped) return
    if (replica.waiting.some((job) => isReady(replica, job))) this.#wake(replica)
  }

  /** Reads changes up to the highest watermark that searches wait for. */
  #startCatchUp(replica: Replica): void {
    if (replica.catchingUp || replica.dropped) return
    const target = replica.waiting.reduce((most, { version }) => Math.max(most, version.watermark), 0)
    if (target > replica.index.reached) void this.#catchUp(replica, target)
  }

  #answer(replica: Replica, jobs: readonly Waiting[]): void {
    const searches = jobs.filter((job) => job.request !== null)
    const started = this.#now()
    const requests = searches.map((job) => job.request!)
    let outcomes = replica.index.search(requests)
    while (outcomes.some(isArenaFull) && this.#evict(replica)) outcomes = replica.index.search(requests)
    const lost = outcomes.find((outcome) => outcome instanceof IndexFileLost)
    if (lost !== undefined) {
      replica.waiting.unshift(...jobs)
      this.#loseFiles(replica, lost)
      return
    }
    const search = this.#now() - started
    if (searches.length > 0) noteSearches(replica, search, searches.length)
    for (const job of jobs) if (job.request === null) job.settle(null)
    for (const [i, job] of searches.entries()) {
      const outcome = outcomes[i]
      const timing = { refresh: started - job.since, search }
      job.settle(outcome instanceof Error ? outcome : { ...outcome, timing })
    }
  }

  async #saveIfDue(replica: Replica, snapshots: Snapshots): Promise<void> {
    await this.#touch(replica, snapshots)
    const { index, changes } = replica
    const isBusy = isAtWork(replica) || replica.dropped
    const unsaved = { ...replica, documents: index.documents }
    if (isBusy || !isSnapshotDue(unsaved, this.#now(), snapshots.policy) || !this.#pageIn(replica)) return
    replica.isWriting = true
    replica.changes = 0
    const isWritten = await snapshots.save(replica.version, replica.source, index, this.#pauseOf(replica))
    if (!isWritten) replica.changes += changes
    replica.isWriting = false
    replica.isSaved = true
    replica.savedAt = this.#now()
    if (replica.dropped) return
    this.#pager.noteChanged(replica)
    this.#measure(replica)
    void this.#startCompaction(replica)
  }

  /** Marks the snapshot of a replica as used while the replica is. */
  async #touch(replica: Replica, snapshots: Snapshots): Promise<void> {
    if (!replica.isSaved || replica.usedAt - replica.touchedAt < TOUCH_MS) return
    replica.touchedAt = replica.usedAt
    await snapshots.touch(replica.version)
  }

  /** For work on a replica that ends when it is dropped. */
  #pauseOf(replica: Replica): Pause {
    const check = (): void => {
      if (replica.dropped) throw new Abandoned('the index was dropped')
    }
    return () => {
      check()
      return threadSlices
        .pause(replica.version.tenantId)
        ?.then(() => this.#relieveHeap())
        .then(check)
    }
  }

  /** Takes a new replica's index from its snapshot, if there is one. @throws NoRoom, Abandoned, ArenaFull */
  async #restore(replica: Replica, catchUp: CatchUp): Promise<void> {
    const admits = (size: MemorySize & { readonly fileBytes: number }): IndexFiles | null => {
      catchUp.shortage = this.#makeRoom(replica, size)
      if (catchUp.shortage !== null) throw new NoRoom('no room for an index from its snapshot')
      const whole = { bytes: size.bytes + size.fileBytes, heapBytes: size.heapBytes }
      return this.#budget.shareWith(replica.version.tenantId, whole) < SHORT_SHARE ? null : this.#memory.files
    }
    const { version, source } = replica
    const parts = { memory: this.#memory, analyser: this.#analyser }
    const loaded = await this.#madeRoomFor(replica, () =>
      this.#snapshots!.load(version, source, parts, this.#pauseOf(replica), admits),
    )
    if (loaded === null) return
    if (replica.dropped) {
      loaded.free()
      return
    }
    replica.index.free()
    replica.index = loaded
    replica.cursor = loaded.reached
    this.#pager.noteChanged(replica)
    replica.isSaved = true
    replica.savedAt = this.#now()
    this.#measure(replica)
  }

  /** Never rejects: if the source fails, the searches that waited for it fail. */
  async #catchUp(replica: Replica, target: number): Promise<void> {
    replica.catchingUp = true
    const isFirst = replica.index.reached === 0
    const began = this.#now()
    let failure: Error | null = null
    const catchUp: CatchUp = { isTold: false, shortage: null }
    if (isFirst) replica.building = { began, done: 0 }
    const looking = isFirst ? setInterval(() => this.#endWaiting(replica), BUILD_LOOK_MS) : undefined
    try {
      await this.#applyChanges(replica, target, catchUp)
    } catch (cause) {
      if (cause instanceof NoRoom || isArenaFull(cause)) catchUp.shortage ??= 'crowded'
      failure = new EngineUnavailable(`the search index cannot be brought up to date: ${messageOf(cause)}`, { cause })
    }
    clearInterval(looking)
    replica.building = null
    replica.catchingUp = false
    this.#reading.delete(replica)
    if (catchUp.isTold) this.#onCatchUp(replica.version, true)
    if (catchUp.shortage !== null && !replica.dropped) this.#refuse(replica, catchUp.shortage)
    if (replica.dropped) {
      this.#moveWaiting(replica)
      return
    }
    if (failure === null) {
      if (replica.index.isOutgrown) {
        this.#startAnew(replica)
        return
      }
      replica.index.reached = Math.max(replica.index.reached, target)
      if (isFirst) {
        this.#onEvent({ kind: 'built', from: replica.isSaved ? 'snapshot' : 'database', ms: this.#now() - began })
        this.#dropOtherModels(replica)
      }
      void this.#startCompaction(replica)
    } else this.#fail(replica, target, failure)
    if (replica.waiting.length > 0) this.#wake(replica)
  }

  /** Fails the searches that have waited for a build as long as they may, or would have to. */
  #endWaiting({ building, waiting }: Replica): void {
    if (building === null) return
    const now = this.#now()
    const leftMs = remainingMs(building, now)
    const isKnown = building.done > 0 && now - building.began >= BUILD_KNOWN_MS
    const hasWaited = ({ request, since }: Waiting): boolean => {
      const waitedMs = now - since
      return request !== null && (waitedMs >= this.#buildWaitMs || (isKnown && waitedMs + leftMs > this.#buildWaitMs))
    }
    const error = new IndexBuilding(Math.floor(building.done * 100), Math.min(RETRY_MAX_MS, leftMs))
    for (const job of waiting.filter(hasWaited)) {
      waiting.splice(waiting.indexOf(job), 1)
      job.settle(error)
    }
  }

  async #applyChanges(replica: Replica, target: number, catchUp: CatchUp): Promise<void> {
    let waits = 0
    const tell = (): void => {
      if (!catchUp.isTold) this.#onCatchUp(replica.version, false)
      catchUp.isTold = true
      this.#reading.delete(replica)
    }
    // The first run may be long and is announced. Later runs rarely are, and announcing costs time.
    if (replica.index.reached === 0) tell()
    else this.#reading.add(replica)
    if (this.#snapshots !== null && replica.cursor === 0 && !replica.isSaved && !replica.isAnew) {
      await this.#restore(replica, catchUp)
      if (replica.dropped) return
    }
    const admits = (growth: MemorySize): boolean => (catchUp.shortage = this.#makeRoom(replica, growth)) === null
    for await (const batch of replica.source.changes({ ...replica.version, watermark: target }, replica.cursor)) {
      for (const change of batch) {
        let steps = replica.index.applying(change, admits)
        for (let isDone = false; !isDone;) {
          if (replica.dropped) return
          try {
            isDone = steps.next().done === true
          } catch (error) {
            if (!isArenaFull(error) || !this.#evict(replica)) throw error
            // Nothing of the document was stored.
            steps = replica.index.applying(change, admits)
          }
          const waiting = threadSlices.pause(replica.version.tenantId)
          if (waiting === undefined) continue
          if (++waits > 1) tell()
          await waiting
          this.#relieveHeap()
        }
      }
      if (replica.dropped) return
      if (replica.building !== null) replica.building.done = Math.min(1, (batch.at(-1)?.seq ?? 0) / target)
      replica.changes += batch.length
      this.#pager.noteChanged(replica)
      replica.changedAt = this.#now()
      // The source may have more changes with the last number, and beyond `target` it may not have listed all of them.
      replica.cursor = Math.max(replica.cursor, Math.min(target, (batch.at(-1)?.seq ?? 0) - 1))
      this.#measure(replica)
      if (replica.dropped) return
      await this.#pager.relieve(replica)
      if (replica.dropped) return
    }
    replica.cursor = Math.max(replica.cursor, target)
  }

  #fail(replica: Replica, target: number, failure: Error): void {
    const failed = replica.waiting.filter(
      ({ version }) => version.watermark > replica.index.reached && version.watermark <= target,
    )
    replica.waiting = replica.waiting.filter((job) => !failed.includes(job))
    for (const job of failed) job.settle(failure)
  }

  /** Compacts what is due. Resolves when it has ended; at once if it cannot begin now. */
  #startCompaction(replica: Replica): Promise<void> {
    if (replica.compacting || replica.isWriting || replica.dropped) return Promise.resolve()
    replica.compacting = true
    const compaction = this.#compact(replica).finally(() => this.#compactions.delete(compaction))
    this.#compactions.add(compaction)
    return compaction
  }

  async #compact(replica: Replica): Promise<void> {
    const { tenantId } = replica.version
    try {
      const pause: Pause = () => threadSlices.pause(tenantId)?.then(() => this.#relieveHeap())
      const hasRoom = (size: MemorySize): boolean => this.#makeRoom(replica, size) === null
      while (!replica.dropped && prepareCompaction(replica.index) && this.#pageIn(replica)) {
        if (!(await compact(replica.index, pause, hasRoom)) || replica.dropped) break
        this.#pager.noteChanged(replica)
        this.#measure(replica)
      }
    } catch (error) {
      // The old segments are whole and still in use; only the memory for their copy was missing.
      if (error instanceof IndexFileLost) this.#loseFiles(replica, error)
      else if (!(error instanceof RangeError) && !isArenaFull(error)) throw error
    } finally {
      replica.compacting = false
    }
  }

  #drop(replica: Replica): void {
    this.#forget(replica)
    if (!replica.catchingUp) this.#moveWaiting(replica)
  }

  #forget(replica: Replica): void {
    replica.dropped = true
    this.#replicas.delete(replica.key)
    this.#pager.forget(replica)
    this.#budget.note(replica, NOTHING)
    this.#tellTight(replica.version.tenantId)
    replica.index.free()
  }

  /** Gives a replica up and fails the searches that wait for it. */
  #refuse(replica: Replica, reason: RefusalReason): void {
    const error = new IndexRefused(reason)
    this.#forget(replica)
    for (const job of replica.waiting.splice(0)) job.settle(error)
  }

  /** Moves searches that wait for a dropped replica to a new one. */
  #moveWaiting(replica: Replica): void {
    if (replica.waiting.length === 0) return
    const fresh = this.#replicaFor(replica.version)!
    fresh.waiting.push(...replica.waiting.splice(0))
    this.#wake(fresh)
  }

  /** Builds a replica from the database alone: its snapshot is outgrown like itself. */
  #startAnew(replica: Replica): void {
    this.#forget(replica)
    const fresh = this.#replicaFor(replica.version)!
    fresh.isAnew = true
    fresh.waiting.push(...replica.waiting.splice(0))
    this.#wake(fresh)
  }

  #dropOtherModels({ version }: Replica): void {
    for (const other of this.#replicas.values()) {
      const { tenantId, index, model } = other.version
      const isSame = tenantId === version.tenantId && index === version.index && model !== version.model
      if (isSame && isIdle(other)) this.#drop(other)
    }
  }

  /** Measures a replica, and gives it up if there is no room and no other replica can be dropped. */
  #measure(replica: Replica): void {
    // It may have been dropped during a compaction, and a new replica may have its key.
    if (replica.dropped) return
    replica.measuredAt = this.#now()
    this.#budget.measure(replica)
    this.#tellTight(replica.version.tenantId)
    this.#pager.look()
    const shortage = this.#makeRoom(replica, NOTHING)
    if (shortage !== null) this.#refuse(replica, shortage)
  }

  /** Brings a replica back that was paged out. @returns false when there is no room, or its files are lost and it is dropped */
  #pageIn(replica: Replica): boolean {
    for (;;) {
      const bytes = replica.index.pagedOutBytes
      if (bytes === 0) return true
      // Its tenant's bound counts what is paged out.
      if (!this.#makeRoomAmongAll(replica, { bytes, heapBytes: 0 })) return false
      try {
        replica.index.pageIn()
      } catch (error) {
        if (error instanceof IndexFileLost) {
          this.#loseFiles(replica, error)
          return false
        }
        // A RangeError is of a buffer that could not be had.
        if (!isArenaFull(error) && !(error instanceof RangeError)) throw error
        if (!this.#evict(replica)) return false
      }
      this.#budget.measure(replica)
      this.#pager.notePageable(replica)
    }
  }

  /** Builds an index again of which a part cannot be read. */
  #loseFiles(replica: Replica, error: IndexFileLost): void {
    this.#giveUpFiles(error)
    if (!replica.dropped) this.#drop(replica)
  }

  #giveUpFiles(error: IndexFileLost): void {
    this.#memory.files?.giveUp()
    if (!this.#areFilesLost) this.#onFilesLost(error)
    this.#areFilesLost = true
  }

  /**
   * Makes room for a replica to grow, by dropping others if needed.
   * @returns which memory is short if there is no room, else null
   */
  #makeRoom(replica: Replica, growth: MemorySize): RefusalReason | null {
    const { tenantId } = replica.version
    if (!this.#budget.fitsTenant(tenantId, growth)) {
      this.#dropOtherModels(replica)
      this.#forgetFilters(tenantId)
      if (!this.#budget.fitsTenant(tenantId, growth)) return 'tenant'
    }
    return this.#makeRoomAmongAll(replica, growth) ? null : 'crowded'
  }

  #makeRoomAmongAll(replica: Replica, growth: MemorySize): boolean {
    while (!this.#budget.fitsWhole(growth)) {
      const hasMade = this.#budget.fitsHeap(growth) ? this.#evict(replica) : this.#dropAnother(replica)
      if (!hasMade) return false
    }
    return true
  }

  /** Pages out or drops another replica, so that this one can grow. @returns false when there is none that may go */
  #evict(replica: Replica): boolean {
    return this.#dropForgotten(replica) || this.#pager.pageOut(replica) || this.#dropAnother(replica)
  }

  /** Drops a large replica that nobody searches, now and then; others would be paged in and out beside it for ever. */
  #dropForgotten(grower: Replica): boolean {
    const now = this.#now()
    if (now - this.#forgottenLookAt < FORGOTTEN_LOOK_MS) return false
    this.#forgottenLookAt = now
    return this.#giveRoom(this.#budget.forgotten(grower, now))
  }

  #dropAnother(replica: Replica): boolean {
    return this.#giveRoom(this.#budget.victim(replica, this.#now()))
  }

  #giveRoom(victim: Replica | null): boolean {
    if (victim === null) return false
    this.#onEvent({ kind: 'evicted' })
    if (isIdle(victim)) this.#drop(victim)
    else this.#refuse(victim, 'crowded')
    return true
  }

  /** Does work for a replica that needs memory for vectors, again after each other replica that makes room. */
  async #madeRoomFor<T>(replica: Replica, work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        // Without files it needs more memory, and is told so if there is none.
        if (error instanceof IndexFileLost && !replica.dropped) this.#giveUpFiles(error)
        else if (!isArenaFull(error) || replica.dropped || !this.#evict(replica)) throw error
      }
    }
  }

  /** Tells once when a tenant's indexes come near their bound. */
  #tellTight(tenantId: string): void {
    const share = this.#budget.tenantShare(tenantId)
    if (share < ROOMY_SHARE) this.#tight.delete(tenantId)
    if (share < TIGHT_SHARE || this.#tight.has(tenantId)) return
    this.#tight.add(tenantId)
    this.#onEvent({ kind: 'tight', tenantId, percent: Math.floor(share * 100) })
  }

  #forgetFilters(tenantId: string): void {
    for (const replica of this.#replicas.values()) {
      if (replica.version.tenantId !== tenantId) continue
      replica.index.forgetFilters()
      this.#budget.measure(replica)
    }
  }

  /** When the heap is nearly full, gives up the replica that uses most of it, preferably one that is growing. */
  #relieveHeap(): void {
    if (!this.#isHeapShort()) return
    const heaviest = this.#budget.heaviest((replica) => replica.catchingUp) ?? this.#budget.heaviest(() => true)
    if (heaviest !== null) this.#refuse(heaviest, 'crowded')
  }
}

function isArenaFull(outcome: unknown): boolean {
  return outcome instanceof ArenaFull
}

function isReady(replica: Replica, { version }: Waiting): boolean {
  return version.watermark <= replica.index.reached
}

/** Removes and returns the first searches, at most `most`, whose watermark the index has reached. */
function takeReady(replica: Replica, most: number): Waiting[] {
  const ready: Waiting[] = []
  const later: Waiting[] = []
  for (const job of replica.waiting) (isReady(replica, job) && ready.length < most ? ready : later).push(job)
  replica.waiting = later
  return ready
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

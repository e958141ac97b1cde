import {
  type EngineStatus,
  EngineUnavailable,
  IndexRefused,
  type IndexSource,
  type IndexVersion,
  type RefusalReason,
} from '../engine.ts'
import { FairQueue } from '../../platform/threads/fair-queue.ts'
import { type Pause, threadSlices } from '../../platform/threads/slices.ts'
import { Arena, ArenaFull } from './arena.ts'
import { compact } from './compaction.ts'
import { IndexBudget, type MemoryLimits } from './index-budget.ts'
import {
  type Replica,
  isDear,
  isIdle,
  type Job,
  newReplica,
  noteSearches,
  statusOf,
  togetherMax,
  TURN_MS,
  type Waiting,
} from './replica.ts'
import { type MemorySize, NOTHING } from './memory-size.ts'
import { NoRoom, TenantIndex } from './tenant-index.ts'
import { languageAnalyser, type TextAnalyser } from './text-analyser.ts'
import { createVectorMemory, type VectorMemory } from './vector-column.ts'
import { loadKernel } from './vector-kernel.ts'

/** One reading of changes: whether `onCatchUp` was told of it, and what it had no room for. */
interface Course {
  isTold: boolean
  shortage: RefusalReason | null
}

/** Searches let an index grow too, but slowly: how often its size is looked at for that. */
const MEASURE_MS = 1_000

export interface IndexHostOptions {
  readonly analyser?: TextAnalyser
  /** Clock in milliseconds. */
  readonly now?: () => number
  /** Whether the thread's heap is nearly full; asked between slices. */
  readonly isHeapShort?: () => boolean
  /** Told when the changes of an index are being read for longer than a slice, and when that has ended. */
  readonly onCatchUp?: (version: IndexVersion, isOver: boolean) => void
}

/**
 * All indexes of one thread: catches each up with what its searches ask for, answers searches in batches,
 * and keeps them within their budget: see `IndexBudget` for who gives way. An index for which there is no room is
 * given up at once, and its searches fail with `IndexRefused`.
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
  /** Replicas that searches have arrived for in this turn of the event loop. */
  readonly #called = new Set<Replica>()
  /** Replicas whose searches are to be answered; tenants take turns. */
  readonly #due = new FairQueue<Replica>()
  #lastAnswered = ''
  /** Replicas that read a few changes for a search that waits. */
  readonly #reading = new Set<Replica>()
  #scheduled = false
  #isTimerSet = false
  #clock = 0
  #compactions = new Set<Promise<void>>()

  constructor(sources: readonly IndexSource[], limits: MemoryLimits, options: IndexHostOptions = {}) {
    const arena = new Arena()
    this.#sources = new Map(sources.map((source) => [source.definition.name, source]))
    this.#budget = new IndexBudget(limits)
    this.#analyser = options.analyser ?? languageAnalyser
    this.#now = options.now ?? (() => performance.now())
    this.#isHeapShort = options.isHeapShort ?? (() => false)
    this.#onCatchUp = options.onCatchUp ?? (() => undefined)
    this.#memory = createVectorMemory(arena, loadKernel(arena.memory))
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

  /** Forgets a tenant's replicas; searches that wait for one get a new one. */
  drop(tenantId: string): void {
    // What waits moves to new replicas, which must not be met again.
    const held = [...this.#replicas.values()].filter(({ version }) => version.tenantId === tenantId)
    for (const replica of held) this.#drop(replica)
  }

  status(): EngineStatus {
    return statusOf([...this.#replicas.values()], this.#budget.whole.bytes)
  }

  /** What all indexes took when they were last looked at. */
  get held(): MemorySize {
    return this.#budget.held
  }

  /** Size of the memory that vectors live in; it keeps what it once had for later use. */
  get reservedBytes(): number {
    return this.#memory.arena.memory.buffer.byteLength
  }

  /** Resolves when no compaction is under way. */
  async settled(): Promise<void> {
    while (this.#compactions.size > 0) await Promise.all(this.#compactions)
  }

  #replicaFor(version: IndexVersion): Replica | null {
    const source = this.#sources.get(version.index)
    if (source === undefined) return null
    const key = JSON.stringify([version.tenantId, version.index, version.model])
    let replica = this.#replicas.get(key)
    if (replica === undefined) {
      const index = new TenantIndex(source.definition, this.#memory, this.#analyser)
      replica = newReplica(key, version, source, index)
      this.#replicas.set(key, replica)
    }
    replica.lastUsed = ++this.#clock
    replica.usedAt = this.#now()
    return replica
  }

  /** Has the replica's searches looked at once everything that has arrived by now has been taken in. */
  #wake(replica: Replica): void {
    this.#called.add(replica)
    if (!replica.isDue) this.#due.push(replica.version.tenantId, replica)
    replica.isDue = true
    this.#schedule()
  }

  /**
   * Every index that is behind begins to catch up; one is searched in each turn of the event loop, another tenant's
   * than the last: a search waits for one of each tenant's batches at most, whatever it has to catch up with.
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

  /** Whose searches are answered next; null when nobody is due but who gives way, for whom there is a timer. */
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
   * Dear searches begin up to a turn later while another tenant's search waits for what the database is about to
   * answer: after each of its statements it would else wait for one of them.
   */
  #givesWay(replica: Replica): boolean {
    const { tenantId } = replica.version
    const isAsked = isDear(replica) && this.#reading.values().some(({ version }) => version.tenantId !== tenantId)
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
   * Answers searches of one index until its turn is over. By the time they take, not by their number alone: one that the
   * operating system held up would else have all that wait behind it, however cheap, take a turn each.
   */
  #serve(replica: Replica): void {
    const began = this.#now()
    // Another one may have taken its room.
    for (let tookMs = 0; tookMs < TURN_MS && !replica.dropped; tookMs = this.#now() - began) {
      const ready = takeReady(replica, togetherMax(replica, TURN_MS - tookMs))
      if (ready.length === 0) break
      this.#lastAnswered = replica.version.tenantId
      this.#answer(replica, ready)
    }
    if (replica.dropped) return
    if (this.#now() - replica.measuredAt >= MEASURE_MS) this.#measure(replica)
    if (replica.dropped) return
    if (replica.waiting.some((job) => isReady(replica, job))) this.#wake(replica)
  }

  /** Reads the changes that searches wait for, up to the latest of them. */
  #startCatchUp(replica: Replica): void {
    if (replica.catchingUp || replica.dropped) return
    const target = replica.waiting.reduce((most, { version }) => Math.max(most, version.watermark), 0)
    if (target > replica.index.reached) void this.#catchUp(replica, target)
  }

  #answer(replica: Replica, jobs: readonly Waiting[]): void {
    const searches = jobs.filter((job) => job.request !== null)
    const started = this.#now()
    const outcomes = replica.index.search(searches.map((job) => job.request!))
    const search = this.#now() - started
    if (searches.length > 0) noteSearches(replica, search, searches.length)
    for (const job of jobs) if (job.request === null) job.settle(null)
    for (const [i, job] of searches.entries()) {
      const outcome = outcomes[i]
      const timing = { refresh: started - job.since, search }
      job.settle(outcome instanceof Error ? outcome : { ...outcome, timing })
    }
  }

  /** Never rejects: a source that fails fails the searches that waited for it. */
  async #catchUp(replica: Replica, target: number): Promise<void> {
    replica.catchingUp = true
    let failure: Error | null = null
    const course: Course = { isTold: false, shortage: null }
    try {
      await this.#applyChanges(replica, target, course)
    } catch (cause) {
      if (cause instanceof NoRoom || cause instanceof ArenaFull) course.shortage ??= 'crowded'
      failure = new EngineUnavailable(`the search index cannot be brought up to date: ${messageOf(cause)}`, { cause })
    }
    replica.catchingUp = false
    this.#reading.delete(replica)
    if (course.isTold) this.#onCatchUp(replica.version, true)
    if (course.shortage !== null && !replica.dropped) this.#refuse(replica, course.shortage)
    if (replica.dropped) {
      this.#moveWaiting(replica)
      return
    }
    if (failure === null) {
      const first = replica.index.reached === 0
      replica.index.reached = Math.max(replica.index.reached, target)
      if (first) this.#dropOtherModels(replica)
      this.#startCompaction(replica)
    } else this.#fail(replica, target, failure)
    if (replica.waiting.length > 0) this.#wake(replica)
  }

  async #applyChanges(replica: Replica, target: number, course: Course): Promise<void> {
    let waits = 0
    const tell = (): void => {
      if (!course.isTold) this.#onCatchUp(replica.version, false)
      course.isTold = true
      this.#reading.delete(replica)
    }
    // The first reading is the one that may be long; few of the others are, and being told costs.
    if (replica.index.reached === 0) tell()
    else this.#reading.add(replica)
    const admits = (growth: MemorySize): boolean => (course.shortage = this.#makeRoom(replica, growth)) === null
    for await (const batch of replica.source.changes(replica.version, replica.cursor)) {
      for (const change of batch) {
        const steps = replica.index.applying(change, admits)
        for (let isDone = false; !isDone;) {
          if (replica.dropped) return
          isDone = steps.next().done === true
          const waiting = threadSlices.pause(replica.version.tenantId)
          if (waiting === undefined) continue
          if (++waits > 1) tell()
          await waiting
          this.#relieveHeap()
        }
      }
      if (replica.dropped) return
      // Of the last number the source may have more to tell, and past `target` it need not have told everything.
      replica.cursor = Math.max(replica.cursor, Math.min(target, (batch.at(-1)?.seq ?? 0) - 1))
      this.#measure(replica)
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

  #startCompaction(replica: Replica): void {
    if (replica.compacting) return
    replica.compacting = true
    const compaction = this.#compact(replica).finally(() => this.#compactions.delete(compaction))
    this.#compactions.add(compaction)
  }

  async #compact(replica: Replica): Promise<void> {
    const { tenantId } = replica.version
    try {
      const pause: Pause = () => threadSlices.pause(tenantId)?.then(() => this.#relieveHeap())
      const hasRoom = (size: MemorySize): boolean => this.#makeRoom(replica, size) === null
      while (!replica.dropped && (await compact(replica.index, pause, hasRoom))) this.#measure(replica)
    } catch (error) {
      // The old segments are whole and still in place; only memory for the replica was missing.
      if (!(error instanceof RangeError) && !(error instanceof ArenaFull)) throw error
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
    this.#budget.note(replica, NOTHING)
    replica.index.free()
  }

  /** Gives a replica up, and with it the searches that wait for it. */
  #refuse(replica: Replica, reason: RefusalReason): void {
    const error = new IndexRefused(reason)
    this.#forget(replica)
    for (const job of replica.waiting.splice(0)) job.settle(error)
  }

  /** Gives what waits for a dropped replica to a new one. */
  #moveWaiting(replica: Replica): void {
    if (replica.waiting.length === 0) return
    const fresh = this.#replicaFor(replica.version)!
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

  /** Looks at a replica's size, and gives it up when there is no room for it and nothing else may go. */
  #measure(replica: Replica): void {
    // It may have gone while it was compacted, and one in its place may be there already.
    if (replica.dropped) return
    replica.measuredAt = this.#now()
    this.#budget.note(replica, replica.index.size)
    const shortage = this.#makeRoom(replica, NOTHING)
    if (shortage !== null) this.#refuse(replica, shortage)
  }

  /**
   * Makes room for a replica to grow by so much; lets go what may go for it.
   * @returns what is short when there is no room
   */
  #makeRoom(replica: Replica, growth: MemorySize): RefusalReason | null {
    const { tenantId } = replica.version
    if (!this.#budget.fitsTenant(tenantId, growth)) {
      this.#dropOtherModels(replica)
      this.#forgetFilters(tenantId)
      if (!this.#budget.fitsTenant(tenantId, growth)) return 'tenant'
    }
    while (!this.#budget.fitsWhole(growth)) {
      const victim = this.#budget.victim(replica, this.#now())
      if (victim === null) return 'crowded'
      if (isIdle(victim)) this.#drop(victim)
      else this.#refuse(victim, 'crowded')
    }
    return null
  }

  #forgetFilters(tenantId: string): void {
    for (const replica of this.#replicas.values()) {
      if (replica.version.tenantId !== tenantId) continue
      replica.index.forgetFilters()
      this.#budget.note(replica, replica.index.size)
    }
  }

  /** When the heap is nearly full the replica that takes most of it goes, one that grows before those that do not. */
  #relieveHeap(): void {
    if (!this.#isHeapShort()) return
    const heaviest = this.#budget.heaviest((replica) => replica.catchingUp) ?? this.#budget.heaviest(() => true)
    if (heaviest !== null) this.#refuse(heaviest, 'crowded')
  }
}

function isReady(replica: Replica, { version }: Waiting): boolean {
  return version.watermark <= replica.index.reached
}

/** Takes out the first searches, `most` at most, that the index is up to date for. */
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

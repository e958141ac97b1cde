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
import { type Copy, isIdle, type Job, newCopy, noteSearches, statusOf, turnMax, type Waiting } from './index-copy.ts'
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
  #copies = new Map<string, Copy>()
  /** Copies that searches have arrived for in this turn of the event loop. */
  readonly #called = new Set<Copy>()
  /** Copies whose searches are to be answered; tenants take turns. */
  readonly #due = new FairQueue<Copy>()
  #lastAnswered = ''
  #scheduled = false
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
    const copy = this.#copyFor(job.version)
    if (copy === null) {
      job.settle(new RangeError(`no index is called ${job.version.index}`))
      return
    }
    copy.waiting.push({ ...job, since: performance.now() })
    this.#wake(copy)
  }

  /** Forgets a tenant's copies; searches that wait for one get a new one. */
  drop(tenantId: string): void {
    // What waits moves to new copies, which must not be met again.
    const held = [...this.#copies.values()].filter(({ version }) => version.tenantId === tenantId)
    for (const copy of held) this.#drop(copy)
  }

  status(): EngineStatus {
    return statusOf([...this.#copies.values()], this.#budget.whole.bytes)
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

  #copyFor(version: IndexVersion): Copy | null {
    const source = this.#sources.get(version.index)
    if (source === undefined) return null
    const key = JSON.stringify([version.tenantId, version.index, version.model])
    let copy = this.#copies.get(key)
    if (copy === undefined) {
      const index = new TenantIndex(source.definition, this.#memory, this.#analyser)
      copy = newCopy(key, version, source, index)
      this.#copies.set(key, copy)
    }
    copy.lastUsed = ++this.#clock
    copy.usedAt = this.#now()
    return copy
  }

  /** Has the copy's searches looked at once everything that has arrived by now has been taken in. */
  #wake(copy: Copy): void {
    this.#called.add(copy)
    if (!copy.isDue) this.#due.push(copy.version.tenantId, copy)
    copy.isDue = true
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
      for (const copy of this.#called) this.#startCatchUp(copy)
      this.#called.clear()
      const copy = this.#due.shift((tenantId) => tenantId !== this.#lastAnswered) ?? this.#due.shift()!
      copy.isDue = false
      this.#serve(copy)
      if (!this.#due.isEmpty) this.#schedule()
    })
  }

  #serve(copy: Copy): void {
    // Another one may have taken its room.
    if (copy.dropped) return
    const ready: Waiting[] = []
    const later: Waiting[] = []
    const most = turnMax(copy)
    for (const job of copy.waiting) {
      const isReady = job.version.watermark <= copy.index.reached && ready.length < most
      ;(isReady ? ready : later).push(job)
    }
    copy.waiting = later
    if (ready.length > 0) this.#lastAnswered = copy.version.tenantId
    this.#answer(copy, ready)
    if (this.#now() - copy.measuredAt >= MEASURE_MS) this.#measure(copy)
    if (copy.dropped) return
    if (later.some((job) => job.version.watermark <= copy.index.reached)) this.#wake(copy)
  }

  /** Reads the changes that searches wait for, up to the latest of them. */
  #startCatchUp(copy: Copy): void {
    if (copy.catchingUp || copy.dropped) return
    const upTo = copy.waiting.reduce((most, { version }) => Math.max(most, version.watermark), 0)
    if (upTo > copy.index.reached) void this.#catchUp(copy, upTo)
  }

  #answer(copy: Copy, jobs: readonly Waiting[]): void {
    const searches = jobs.filter((job) => job.request !== null)
    const started = performance.now()
    const outcomes = copy.index.search(searches.map((job) => job.request!))
    const search = performance.now() - started
    if (searches.length > 0) noteSearches(copy, search, searches.length)
    for (const job of jobs) if (job.request === null) job.settle(null)
    for (const [i, job] of searches.entries()) {
      const outcome = outcomes[i]
      const timing = { refresh: started - job.since, search }
      job.settle(outcome instanceof Error ? outcome : { ...outcome, timing })
    }
  }

  /** Never rejects: a source that fails fails the searches that waited for it. */
  async #catchUp(copy: Copy, upTo: number): Promise<void> {
    copy.catchingUp = true
    let failure: Error | null = null
    const course: Course = { isTold: false, shortage: null }
    try {
      await this.#applyChanges(copy, upTo, course)
    } catch (cause) {
      if (cause instanceof NoRoom || cause instanceof ArenaFull) course.shortage ??= 'crowded'
      failure = new EngineUnavailable(`the search index cannot be brought up to date: ${messageOf(cause)}`, { cause })
    }
    copy.catchingUp = false
    if (course.isTold) this.#onCatchUp(copy.version, true)
    if (course.shortage !== null && !copy.dropped) this.#refuse(copy, course.shortage)
    if (copy.dropped) {
      this.#moveWaiting(copy)
      return
    }
    if (failure === null) {
      const first = copy.index.reached === 0
      copy.index.reached = Math.max(copy.index.reached, upTo)
      if (first) this.#dropOtherModels(copy)
      this.#startCompaction(copy)
    } else this.#fail(copy, upTo, failure)
    if (copy.waiting.length > 0) this.#wake(copy)
  }

  async #applyChanges(copy: Copy, upTo: number, course: Course): Promise<void> {
    let waits = 0
    const tell = (): void => {
      if (!course.isTold) this.#onCatchUp(copy.version, false)
      course.isTold = true
    }
    // The first reading is the one that may be long; few of the others are, and being told costs.
    if (copy.index.reached === 0) tell()
    const admits = (growth: MemorySize): boolean => (course.shortage = this.#makeRoom(copy, growth)) === null
    for await (const batch of copy.source.changes(copy.version, copy.cursor, upTo)) {
      for (const change of batch) {
        const steps = copy.index.applying(change, admits)
        for (let isDone = false; !isDone;) {
          if (copy.dropped) return
          isDone = steps.next().done === true
          const waiting = threadSlices.pause(copy.version.tenantId)
          if (waiting === undefined) continue
          if (++waits > 1) tell()
          await waiting
          this.#relieveHeap()
        }
      }
      if (copy.dropped) return
      // Of the last number the source may have more to tell, and past `upTo` it need not have told everything.
      copy.cursor = Math.max(copy.cursor, Math.min(upTo, (batch.at(-1)?.seq ?? 0) - 1))
      this.#measure(copy)
      if (copy.dropped) return
    }
    copy.cursor = Math.max(copy.cursor, upTo)
  }

  #fail(copy: Copy, upTo: number, failure: Error): void {
    const failed = copy.waiting.filter(
      ({ version }) => version.watermark > copy.index.reached && version.watermark <= upTo,
    )
    copy.waiting = copy.waiting.filter((job) => !failed.includes(job))
    for (const job of failed) job.settle(failure)
  }

  #startCompaction(copy: Copy): void {
    if (copy.compacting) return
    copy.compacting = true
    const compaction = this.#compact(copy).finally(() => this.#compactions.delete(compaction))
    this.#compactions.add(compaction)
  }

  async #compact(copy: Copy): Promise<void> {
    const { tenantId } = copy.version
    try {
      const pause: Pause = () => threadSlices.pause(tenantId)?.then(() => this.#relieveHeap())
      const hasRoom = (size: MemorySize): boolean => this.#makeRoom(copy, size) === null
      while (!copy.dropped && (await compact(copy.index, pause, hasRoom))) this.#measure(copy)
    } catch (error) {
      // The old segments are whole and still in place; only memory for the copy was missing.
      if (!(error instanceof RangeError) && !(error instanceof ArenaFull)) throw error
    } finally {
      copy.compacting = false
    }
  }

  #drop(copy: Copy): void {
    this.#forget(copy)
    if (!copy.catchingUp) this.#moveWaiting(copy)
  }

  #forget(copy: Copy): void {
    copy.dropped = true
    this.#copies.delete(copy.key)
    this.#budget.note(copy, NOTHING)
    copy.index.free()
  }

  /** Gives a copy up, and with it the searches that wait for it. */
  #refuse(copy: Copy, reason: RefusalReason): void {
    const error = new IndexRefused(reason)
    this.#forget(copy)
    for (const job of copy.waiting.splice(0)) job.settle(error)
  }

  /** Gives what waits for a dropped copy to a new one. */
  #moveWaiting(copy: Copy): void {
    if (copy.waiting.length === 0) return
    const fresh = this.#copyFor(copy.version)!
    fresh.waiting.push(...copy.waiting.splice(0))
    this.#wake(fresh)
  }

  #dropOtherModels({ version }: Copy): void {
    for (const other of this.#copies.values()) {
      const { tenantId, index, model } = other.version
      const isSame = tenantId === version.tenantId && index === version.index && model !== version.model
      if (isSame && isIdle(other)) this.#drop(other)
    }
  }

  /** Looks at a copy's size, and gives it up when there is no room for it and nothing else may go. */
  #measure(copy: Copy): void {
    // It may have gone while it was compacted, and one in its place may be there already.
    if (copy.dropped) return
    copy.measuredAt = this.#now()
    this.#budget.note(copy, copy.index.size)
    const shortage = this.#makeRoom(copy, NOTHING)
    if (shortage !== null) this.#refuse(copy, shortage)
  }

  /**
   * Makes room for a copy to grow by so much; lets go what may go for it.
   * @returns what is short when there is no room
   */
  #makeRoom(copy: Copy, growth: MemorySize): RefusalReason | null {
    const { tenantId } = copy.version
    if (!this.#budget.fitsTenant(tenantId, growth)) {
      this.#dropOtherModels(copy)
      this.#forgetFilters(tenantId)
      if (!this.#budget.fitsTenant(tenantId, growth)) return 'tenant'
    }
    while (!this.#budget.fitsWhole(growth)) {
      const victim = this.#budget.victim(copy, this.#now())
      if (victim === null) return 'crowded'
      if (isIdle(victim)) this.#drop(victim)
      else this.#refuse(victim, 'crowded')
    }
    return null
  }

  #forgetFilters(tenantId: string): void {
    for (const copy of this.#copies.values()) {
      if (copy.version.tenantId !== tenantId) continue
      copy.index.forgetFilters()
      this.#budget.note(copy, copy.index.size)
    }
  }

  /** When the heap is nearly full the copy that takes most of it goes, one that grows before those that do not. */
  #relieveHeap(): void {
    if (!this.#isHeapShort()) return
    const heaviest = this.#budget.heaviest((copy) => copy.catchingUp) ?? this.#budget.heaviest(() => true)
    if (heaviest !== null) this.#refuse(heaviest, 'crowded')
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

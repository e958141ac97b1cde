import { type EngineStatus, EngineUnavailable, type IndexSource, type IndexVersion } from '../engine.ts'
import { threadSlices } from '../../slices.ts'
import { Arena, ArenaFull } from './arena.ts'
import { compact } from './compaction.ts'
import { bytesOf, type Copy, isIdle, type Job, newCopy, statusOf, type Waiting } from './index-copy.ts'
import { BATCH_MAX } from './similarity.ts'
import { TenantIndex } from './tenant-index.ts'
import { languageAnalyser, type TextAnalyser } from './text-analyser.ts'
import { createVectorMemory, type VectorMemory } from './vector-column.ts'
import { loadKernel } from './vector-kernel.ts'

/** Searches of one index answered in one turn of the event loop, before others have theirs: one shared scan. */
const TURN_MAX = BATCH_MAX

/**
 * All indexes of one thread: catches each up with what its searches ask for, answers searches in batches,
 * and drops the least recently used when they take more than their budget.
 */
export class IndexHost {
  readonly #sources: ReadonlyMap<string, IndexSource>
  readonly #bytesMax: number
  readonly #analyser: TextAnalyser
  readonly #memory: VectorMemory
  #copies = new Map<string, Copy>()
  #due = new Set<Copy>()
  #scheduled = false
  #clock = 0
  #compactions = new Set<Promise<void>>()

  constructor(sources: readonly IndexSource[], bytesMax: number, analyser: TextAnalyser = languageAnalyser) {
    const arena = new Arena()
    this.#sources = new Map(sources.map((source) => [source.definition.name, source]))
    this.#bytesMax = bytesMax
    this.#analyser = analyser
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
    return statusOf([...this.#copies.values()], this.#bytesMax)
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
    return copy
  }

  /** Has the copy's searches looked at once everything that has arrived by now has been taken in. */
  #wake(copy: Copy): void {
    this.#due.add(copy)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const due = [...this.#due]
      this.#due.clear()
      for (const each of due) this.#serve(each)
    })
  }

  #serve(copy: Copy): void {
    const ready: Waiting[] = []
    const later: Waiting[] = []
    for (const job of copy.waiting) {
      const isReady = job.version.watermark <= copy.index.reached && ready.length < TURN_MAX
      ;(isReady ? ready : later).push(job)
    }
    copy.waiting = later
    this.#answer(copy, ready)
    const behind = later.filter((job) => job.version.watermark > copy.index.reached)
    if (behind.length < later.length) this.#wake(copy)
    if (behind.length > 0 && !copy.catchingUp) {
      const upTo = behind.reduce((most, job) => Math.max(most, job.version.watermark), 0)
      void this.#catchUp(copy, upTo)
    }
  }

  #answer(copy: Copy, jobs: readonly Waiting[]): void {
    const searches = jobs.filter((job) => job.request !== null)
    const started = performance.now()
    const outcomes = copy.index.search(searches.map((job) => job.request!))
    const search = performance.now() - started
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
    try {
      await this.#applyChanges(copy, upTo)
    } catch (cause) {
      failure = new EngineUnavailable(`the search index cannot be brought up to date: ${messageOf(cause)}`, { cause })
    }
    copy.catchingUp = false
    if (copy.dropped) {
      this.#moveWaiting(copy)
      return
    }
    if (failure === null) {
      const first = copy.index.reached === 0
      copy.index.reached = Math.max(copy.index.reached, upTo)
      if (first) this.#dropOtherModels(copy)
      this.#enforceBudget(copy)
      this.#startCompaction(copy)
    } else this.#fail(copy, upTo, failure)
    if (copy.waiting.length > 0) this.#wake(copy)
  }

  async #applyChanges(copy: Copy, upTo: number): Promise<void> {
    for await (const batch of copy.source.changes(copy.version, copy.cursor, upTo)) {
      for (const change of batch) {
        const steps = copy.index.applying(change)
        for (let isDone = false; !isDone;) {
          if (copy.dropped) return
          isDone = steps.next().done === true
          const waiting = threadSlices.pause(copy.version.tenantId)
          if (waiting !== undefined) await waiting
        }
      }
      // Not past `upTo`: of what is numbered above it the source need not have told everything.
      copy.cursor = Math.max(copy.cursor, Math.min(upTo, batch.at(-1)?.seq ?? 0))
      this.#enforceBudget(copy)
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
      while (!copy.dropped && (await compact(copy.index, () => threadSlices.pause(tenantId)))) this.#enforceBudget(copy)
    } catch (error) {
      // The old segments are whole and still in place; only memory for the copy was missing.
      if (!(error instanceof RangeError) && !(error instanceof ArenaFull)) throw error
    } finally {
      copy.compacting = false
    }
  }

  #drop(copy: Copy): void {
    copy.dropped = true
    this.#copies.delete(copy.key)
    this.#due.delete(copy)
    copy.index.free()
    if (!copy.catchingUp) this.#moveWaiting(copy)
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

  /** Drops idle copies, the least recently used first, until the rest fit; `current` stays. */
  #enforceBudget(current: Copy): void {
    let bytes = bytesOf(this.#copies.values())
    if (bytes <= this.#bytesMax) return
    const idle = [...this.#copies.values()].filter((copy) => copy !== current && isIdle(copy))
    for (const copy of idle.sort((a, b) => a.lastUsed - b.lastUsed)) {
      if (bytes <= this.#bytesMax) return
      bytes -= copy.index.bytes
      this.#drop(copy)
    }
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

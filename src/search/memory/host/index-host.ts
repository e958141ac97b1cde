/** All indexes of one thread. */
import type { EngineStatus, IndexSource, IndexVersion } from '../../engine.ts'
import { Arena } from '../columns/arena.ts'
import type { IndexFiles } from '../columns/index-files.ts'
import type { MemorySize } from '../columns/memory-size.ts'
import { languageAnalyser, type TextAnalyser } from '../../indexing/text-analyser.ts'
import { createVectorMemory, type VectorMemory } from '../columns/vector-column.ts'
import { loadKernel } from '../columns/vector-kernel.ts'
import type { IndexEvent } from '../index/index-event.ts'
import type { Snapshots } from '../index/snapshots/snapshots.ts'
import { Answers } from './answers.ts'
import { CatchUp } from './catch-up.ts'
import type { PausedIndex } from './cool-downs.ts'
import { Compactions } from './compactions.ts'
import { IndexBudget, type MemoryLimits } from './index-budget.ts'
import { LeavingOut } from './leaving-out.ts'
import { Pager } from './pager.ts'
import { isIdle, type Job, type Replica, statusOf } from './replica.ts'
import { Replicas } from './replicas.ts'
import { Room } from './room.ts'
import { SearchTurns } from './search-turns.ts'
import { SnapshotKeeper, type Warming, type WarmStart } from './snapshot-keeper.ts'

/** Milliseconds for which `begin` leaves an index alone after it failed or counted too many documents. */
const PAUSE_MS = 60_000
/** Documents up to which a first index is built before a search asks for it. */
const FIRST_DOCUMENTS = 1_000

export interface IndexHostOptions {
  readonly analyser?: TextAnalyser
  /** Clock in milliseconds. */
  readonly now?: () => number
  /** Processor time of this thread in milliseconds. */
  readonly processorMs?: () => number
  /** Tells whether the thread's heap is nearly full; called between slices. */
  readonly isHeapShort?: () => boolean
  /** Called when reading the changes of an index takes longer than a slice, and again when the reading has ended. */
  readonly onCatchUp?: (version: IndexVersion, isOver: boolean) => void
  /** Snapshots of the indexes on disk; by default none. */
  readonly snapshots?: Snapshots | null
  readonly onEvent?: (event: IndexEvent) => void
  /** Receives the milliseconds that searches of a tenant took. */
  readonly onWork?: (tenantId: string, ms: number) => void
  /** Milliseconds that a search waits for an index that is being built; by default until the index is built. */
  readonly buildWaitMs?: number
  /** Milliseconds that a search waits for the latest texts; by default until the index has them. */
  readonly freshWaitMs?: number
  /** Most bytes of the memory for vectors; by default those of a WebAssembly memory. */
  readonly arenaBytesMax?: number
  /** Files for parts of indexes while memory is short; by default none, so that all parts stay in memory. */
  readonly files?: IndexFiles | null
  /** Called once, when files can hold no more. */
  readonly onFilesLost?: (error: Error) => void
}

/**
 * Brings each index of a thread up to the watermarks of its searches, answers the searches in batches, and keeps the
 * indexes within their memory. An index without room is given up at once, and its searches fail with `IndexRefused`.
 */
export class IndexHost {
  readonly #sources: ReadonlyMap<string, IndexSource>
  /** By tenant and index, until when only a search may begin an index or bring it up to date. */
  readonly #pausedUntil = new Map<string, number>()
  readonly #budget: IndexBudget
  readonly #memory: VectorMemory
  readonly #replicas: Replicas
  readonly #pager: Pager
  readonly #compactions: Compactions
  readonly #leavingOut: LeavingOut
  readonly #turns: SearchTurns
  readonly #catchUp: CatchUp
  readonly #keeper: SnapshotKeeper | null
  readonly #now: () => number

  constructor(sources: readonly IndexSource[], limits: MemoryLimits, options: IndexHostOptions = {}) {
    const {
      analyser = languageAnalyser,
      now = () => performance.now(),
      processorMs = ownProcessorMs,
      isHeapShort = () => false,
      onCatchUp = () => undefined,
      snapshots = null,
      onEvent = () => undefined,
      onWork = () => undefined,
      buildWaitMs = Infinity,
      freshWaitMs = Infinity,
      arenaBytesMax,
      files = null,
      onFilesLost = () => undefined,
    } = options
    const arena = new Arena(arenaBytesMax)
    const memory = createVectorMemory(arena, loadKernel(arena.memory), files)
    const budget = new IndexBudget(limits)
    const byName = new Map(sources.map((source) => [source.definition.name, source]))
    const replicas = new Replicas({
      sources: byName,
      memory,
      analyser,
      now,
      onWaiting: (replica) => turns.wake(replica),
      onDropped: (replica) => {
        room.release(replica)
        catchUp.forget(replica)
      },
    })
    const pager = new Pager(files, budget, {
      now,
      pauseOf: (replica) => room.pauseOf(replica),
      compact: (replica) => compactions.start(replica),
      onLost: (error) => room.giveUpFiles(error),
    })
    const relieve = (tenantId: string): boolean => leavingOut.relieve(tenantId)
    const room = new Room({ budget, replicas, pager, files, now, isHeapShort, relieve, onEvent, onFilesLost })
    const compactions = new Compactions(room, pager)
    const leavingOut = new LeavingOut({ budget, replicas, compactions, pager, now })
    const waits = { freshMs: freshWaitMs, buildMs: buildWaitMs }
    const answers = new Answers({ replicas, room, pager, now, waits, onWork, wake: (replica) => turns.wake(replica) })
    const turns = new SearchTurns({
      now,
      catchUp: (replica) => catchUp.start(replica),
      answer: (replica) => answers.serve(replica),
    })
    const parts = { replicas, room, budget, pager, compactions, now }
    const submit = (job: Job): void => this.submit(job)
    const keeper =
      snapshots === null ? null : new SnapshotKeeper({ ...parts, snapshots, sources: byName, memory, analyser, submit })
    const catchUp = new CatchUp({
      ...parts,
      leavingOut,
      turns,
      keeper,
      files,
      processorMs,
      buildWaitMs,
      onCatchUp,
      onEvent,
    })
    this.#sources = byName
    this.#budget = budget
    this.#memory = memory
    this.#replicas = replicas
    this.#pager = pager
    this.#compactions = compactions
    this.#leavingOut = leavingOut
    this.#turns = turns
    this.#catchUp = catchUp
    this.#keeper = keeper
    this.#now = now
  }

  /** Settles a job once its index has reached its watermark. */
  submit(job: Job): void {
    const replica = this.#replicas.use(job.version)
    if (replica === null) {
      job.settle(new RangeError(`no index is called ${job.version.index}`))
      return
    }
    this.#wait(replica, job)
  }

  #wait(replica: Replica, job: Job): void {
    replica.waiting.push({ ...job, since: this.#now() })
    this.#turns.wake(replica)
  }

  /**
   * Brings the replicas of a tenant up to a change that no search waits for, and takes documents back that were left
   * out. Replicas that were paged out wait for a search.
   */
  follow({ tenantId, model, watermark }: Omit<IndexVersion, 'index'>): void {
    for (const index of this.#sources.keys()) {
      const replica = this.#replicas.find({ tenantId, index, model, watermark })
      if (replica === undefined || replica.index.pages.pagedOutBytes > 0) continue
      const isBehind = watermark > replica.index.reached
      if ((!isBehind && !this.#leavingOut.isDue(replica)) || this.#isPaused(tenantId, index)) continue
      replica.target = Math.max(replica.target, watermark)
      this.#catchUp.start(replica)
    }
  }

  /** Drops a tenant's replicas and snapshots. Waiting searches move to new replicas. */
  async drop(tenantId: string): Promise<void> {
    for (const replica of this.#replicas.list(tenantId)) this.#replicas.drop(replica)
    await this.#keeper?.remove(tenantId)
  }

  /**
   * Gives back the memory of tenants that another process holds. Their snapshots stay, and a later search brings an
   * index back.
   * @returns whether no index of such a tenant is left; an index that is being built or searched stays for now
   */
  keepOnly(isOurs: (tenantId: string) => boolean): boolean {
    const foreign = this.#replicas.list().filter(({ version }) => !isOurs(version.tenantId))
    for (const replica of foreign) if (isIdle(replica)) this.#replicas.drop(replica)
    return foreign.every(({ dropped }) => dropped)
  }

  /** Brings the indexes that were used last into memory; see `SnapshotKeeper.warm`. */
  warm(start: WarmStart): Warming {
    return this.#keeper?.warm(start) ?? { read: Promise.resolve(), built: Promise.resolve(), toBuild: 0 }
  }

  /** Writes the snapshots that are due, one after the other. Call it every few seconds. */
  async saveDue(): Promise<void> {
    await this.#keeper?.saveDue()
  }

  /**
   * Builds the indexes of a tenant that has few documents and no index yet: beside its first import, so that the first
   * search need not wait. Does nothing while memory is short.
   */
  async begin({ tenantId, model, watermark }: Omit<IndexVersion, 'index'>): Promise<void> {
    for (const [index, source] of this.#sources) {
      const version = { tenantId, index, model, watermark }
      if (this.#budget.isShort || this.#replicas.find(version) !== undefined) continue
      if (this.#isPaused(tenantId, index)) continue
      const count = await source.values.count(version, FIRST_DOCUMENTS + 1)
      const paused = { tenantId, index, remainingMs: PAUSE_MS }
      if (count > FIRST_DOCUMENTS) this.pause(paused)
      if (count === 0 || count > FIRST_DOCUMENTS) continue
      const settle = (outcome: unknown): void => {
        if (outcome instanceof Error) this.pause(paused)
      }
      // The index was not searched yet, so it makes room for any that was.
      this.#wait(this.#replicas.open(version)!, { version, request: null, settle })
    }
  }

  /** Lets only searches begin an index or bring it up to date for a while. */
  pause({ tenantId, index, remainingMs }: PausedIndex): void {
    const now = this.#now()
    for (const [key, until] of this.#pausedUntil) if (until <= now) this.#pausedUntil.delete(key)
    this.#pausedUntil.set(JSON.stringify([tenantId, index]), now + remainingMs)
  }

  #isPaused(tenantId: string, index: string): boolean {
    if (this.#pausedUntil.size === 0) return false
    return (this.#pausedUntil.get(JSON.stringify([tenantId, index])) ?? 0) > this.#now()
  }

  /** Returns the state of all indexes with the bound on them, or the state and the bound of one tenant's indexes. */
  status(tenantId: string | null = null): EngineStatus {
    const bound = tenantId === null ? this.#budget.whole : this.#budget.tenant
    return statusOf(this.#replicas.list(tenantId), bound.bytes, this.#now(), tenantId !== null)
  }

  /** The memory of each tenant's indexes, as it was measured last. */
  get tenantSizes(): ReadonlyMap<string, MemorySize> {
    return this.#budget.tenantSizes
  }

  /** The memory of all indexes, as it was measured last. */
  get size(): MemorySize {
    return this.#budget.size
  }

  /** Bytes of the memory for vectors. It never shrinks; freed parts are used again. */
  get reservedBytes(): number {
    return this.#memory.arena.memory.buffer.byteLength
  }

  /** Resolves when no compaction runs and nothing is being written to files. */
  async settled(): Promise<void> {
    while (this.#compactions.running.length > 0 || this.#pager.pass !== null) {
      await Promise.all([...this.#compactions.running, this.#pager.pass])
    }
  }
}

function ownProcessorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

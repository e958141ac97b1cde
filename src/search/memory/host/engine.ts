import { PendingCalls } from '../../../platform/threads/pending-calls.ts'
import { spending } from '../../../platform/telemetry/work-record.ts'
import { Supervisor, type ThreadHealth, type ThreadLog } from '../../../platform/threads/supervisor.ts'
import {
  type EngineStatus,
  EngineUnavailable,
  IndexRefused,
  type IndexVersion,
  type RefusalReason,
  type SearchAnswer,
  type SearchEngine,
  type SearchRequest,
  SearchTimedOut,
} from '../../engine.ts'
import type { TenantShare } from '../../tenant-share.ts'
import { WrittenTenants } from '../../written-tenants.ts'
import type { IndexEvent } from '../index/index-event.ts'
import { CoolDowns } from './cool-downs.ts'
import { heapMbFor } from './heap-guard.ts'
import {
  type FromWorker,
  type IndexLoad,
  packSearches,
  type SearchThreadProtocol,
  unpackAnswers,
  unpackError,
  type WorkerOptions,
} from './protocol.ts'

/** Receives what the operator should know. Warnings are about the search thread. */
export interface EngineObserver extends Partial<ThreadLog> {
  /** Called when an index is refused: once for each refusal, not for each search. */
  refused(refusal: {
    readonly tenantId: string
    readonly index: string
    readonly reason: RefusalReason
    readonly retryAfterMs: number
  }): void
  /** Called for each event, for metrics. */
  noted?(event: IndexEvent): void
  /** Called for each answer without the latest texts. */
  answeredBehind?(): void
  /** Called every few seconds with what the thread did for tenants. */
  loaded?(loads: readonly IndexLoad[]): void
  /** Called at a start when the thread's heap has no room for all memory that indexes may use. */
  heapBound?(heapBytesMax: number): void
}

/**
 * Milliseconds that searches wait for the answers of others before they are sent alone. The others may wait for texts,
 * or for the write that they name.
 */
const HOLD_MS = 10
/** Milliseconds that a search may take beyond its wait. Then it fails, even if the thread does not get to it. */
const LATE_MS = 3_000

/** The context of a call until the call is answered. */
interface Call {
  /** The index of the call; null for a call that concerns no index. */
  readonly version: IndexVersion | null
  /** The queue that sent the search; null for other calls. */
  readonly queue: SearchQueue | null
}

interface QueuedSearch {
  readonly call: number
  readonly request: SearchRequest
}

/** The searches of one index. */
interface SearchQueue {
  readonly key: string
  readonly tenantId: string
  readonly index: string
  /** Searches that wait to be sent. */
  waiting: QueuedSearch[]
  /** Number of searches that were sent and have no answer yet. */
  unanswered: number
  /** Fires when searches have waited for the answers of others long enough; null without such searches. */
  timer: NodeJS.Timeout | null
}

/**
 * The in-process engine. Indexes live in a worker thread, so searching or building one does not delay the calling
 * thread. If the worker dies, its pending calls fail, and further calls fail at once until the supervisor has started
 * another worker, which builds the indexes again from the sources.
 *
 * If the worker has no room for an index, or dies while it builds the index, the index is not tried for a while. Its
 * searches then fail in this thread, without any work.
 *
 * While searches of an index are running, new ones wait a moment and are sent together: each message costs a thread
 * wake-up, and searches that arrive together share one scan. Other indexes do not wait.
 */
export class MemoryEngine implements SearchEngine {
  readonly #thread: Supervisor<SearchThreadProtocol>
  readonly #bytesMax: number
  readonly #buildWaitMs: number
  readonly #lateMs: number
  readonly #calls = new PendingCalls<Call>()
  readonly #queues = new Map<string, SearchQueue>()
  #isFlushDue = false
  #closing: Promise<void> | null = null
  readonly #observer: EngineObserver | null
  readonly #coolDowns: CoolDowns
  /** Indexes for which the worker has been reading changes for a while, by index, model and tenant. */
  readonly #catchingUp = new Map<string, IndexVersion>()
  readonly #written = new WrittenTenants((tenantIds) => {
    if (this.#isUp) this.#thread.post({ kind: 'written', tenantIds })
  })

  /** @param lateMs milliseconds that a search may take beyond its wait */
  constructor(
    options: WorkerOptions,
    observer: EngineObserver | null = null,
    coolDowns = new CoolDowns(),
    lateMs = LATE_MS,
  ) {
    this.#lateMs = lateMs
    this.#bytesMax = options.bytesMax
    this.#buildWaitMs = options.buildWaitMs ?? Infinity
    this.#observer = observer
    this.#coolDowns = coolDowns
    this.#thread = new Supervisor({
      name: 'search',
      module: new URL('worker.ts', import.meta.url),
      data: options,
      heapMb: heapMbFor(options.bytesMax),
      log: {
        warn: (details, message) => observer?.warn?.(details, message),
        noteDamage: (damage) => observer?.noteDamage?.(damage),
      },
      onMessage: (message) => this.#receive(message),
      onEnd: (error) => this.#onEnd(error),
    })
  }

  /** The state of the search thread. */
  get health(): ThreadHealth {
    return this.#thread.health
  }

  /** Number of searches that wait for the search thread. */
  get waiting(): number {
    return this.#calls.count(({ queue }) => queue !== null)
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    const { version } = request
    const { tenantId, index } = version
    const refusal = this.#refusalOf(tenantId, index)
    if (refusal !== null) return Promise.reject(refusal)
    const key = keyOf(version)
    const queue = this.#queues.get(key) ?? { key, tenantId, index, waiting: [], unanswered: 0, timer: null }
    const send = (call: number): void => {
      this.#queues.set(key, queue)
      queue.waiting.push({ call, request })
      this.#flushSoon(queue)
    }
    const mostMs = Math.max(this.#buildWaitMs, request.texts?.waitMs ?? 0) + this.#lateMs
    return spending('search', () => this.#call<SearchAnswer>(send, { version, queue, mostMs }))
  }

  requireRoom(tenantId: string, index: string): void {
    const refusal = this.#refusalOf(tenantId, index)
    if (refusal !== null) throw refusal
  }

  drop(tenantId: string): Promise<void> {
    return this.#call((call) => this.#thread.post({ kind: 'drop', call, tenantId }))
  }

  /**
   * Gives back the memory of tenants outside a share. Their snapshots stay.
   * @returns false when an index of such a tenant is at work; then call again later
   */
  keepOnly(share: TenantShare): Promise<boolean> {
    return this.#call((call) => this.#thread.post({ kind: 'keep', call, share }))
  }

  /** Checks that the search thread is up and reaches its database. @throws EngineUnavailable or Error */
  check(): Promise<void> {
    return this.#call((call) => this.#thread.post({ kind: 'check', call }))
  }

  /**
   * Resolves when the thread has the indexes that were used last: read from their snapshots, at the latest after two
   * seconds, or built after an upgrade whose program cannot read them, at the latest after `rebuildWithinMs`. The
   * others follow beside searches.
   * @throws EngineUnavailable
   */
  warmed(): Promise<void> {
    return this.#call((call) => this.#thread.post({ kind: 'warmed', call }))
  }

  /** Lets the indexes of a tenant follow a write of this process, so that no search waits for it later. */
  noteWritten(tenantId: string): void {
    if (this.#isUp) this.#written.note(tenantId)
  }

  async status(tenantId: string | null = null): Promise<EngineStatus> {
    const status = await this.#call<EngineStatus>((call) => this.#thread.post({ kind: 'status', call, tenantId }))
    return { ...status, refused: this.#coolDowns.active.length }
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  get #isUp(): boolean {
    return this.#closing === null && !this.#thread.isDown
  }

  /** @param mostMs milliseconds after which the call fails; by default it waits for the thread */
  #call<T>(
    send: (call: number) => void,
    { version, queue, mostMs = Infinity }: Call & { readonly mostMs?: number } = { version: null, queue: null },
  ): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new EngineUnavailable('search is shutting down'))
    if (this.#thread.isDown) return Promise.reject(new EngineUnavailable('the search thread is starting again'))
    let timer: NodeJS.Timeout | undefined
    const answer = this.#calls.open<T>({ version, queue }, (call) => {
      // Answers that have arrived while this thread was busy are read before the search is given up.
      if (mostMs < Infinity) timer = setTimeout(() => setImmediate(() => this.#giveUp(call)), mostMs).unref()
      send(call)
    })
    return timer === undefined ? answer : answer.finally(() => clearTimeout(timer))
  }

  /** Fails a search that the thread has not answered. */
  #giveUp(call: number): void {
    const queue = this.#calls.contextOf(call)?.queue ?? null
    if (queue === null) return
    const wasSent = queue.waiting.every((each) => each.call !== call)
    queue.waiting = queue.waiting.filter((each) => each.call !== call)
    if (wasSent) this.#countAnswered(call)
    this.#calls.reject(call, new SearchTimedOut('the search thread does not answer in time'))
  }

  /** Schedules the waiting searches of all queues to be sent together, at the end of this turn of the event loop. */
  #flushSoon(queue: SearchQueue): void {
    if (queue.unanswered > 0) {
      this.#flushLater(queue)
      return
    }
    if (this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => this.#flush())
  }

  /** Sends the waiting searches of a queue after a moment, whether or not those before them are answered. */
  #flushLater(queue: SearchQueue): void {
    queue.timer ??= setTimeout(() => {
      queue.timer = null
      if (queue.waiting.length > 0 && this.#queues.get(queue.key) === queue) this.#flush(queue)
    }, HOLD_MS)
  }

  /** Sends the waiting searches of the queues that have no unanswered search, and of `overdue`, in one message. */
  #flush(overdue: SearchQueue | null = null): void {
    if (overdue === null) this.#isFlushDue = false
    const due: QueuedSearch[] = []
    for (const queue of this.#queues.values()) {
      if (queue.unanswered > 0 && queue !== overdue) continue
      // A search that has failed meanwhile, because the engine stops, has no context any more and is not sent.
      const refusal = this.#refusalOf(queue.tenantId, queue.index)
      if (refusal !== null) for (const { call } of queue.waiting) this.#calls.reject(call, refusal)
      const sent = queue.waiting.filter(({ call }) => this.#calls.contextOf(call) !== undefined)
      queue.waiting = []
      queue.unanswered += sent.length
      if (queue.unanswered === 0) this.#queues.delete(queue.key)
      due.push(...sent)
    }
    if (due.length === 0) return
    const message = packSearches(due)
    this.#thread.post(message, [message.vectors.buffer as ArrayBuffer])
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'done':
        this.#resolve(message.call, message.value)
        break
      case 'started':
        // The new worker follows writes by itself, and must not read again what ended the former one.
        this.#thread.post({ kind: 'pause', indexes: this.#coolDowns.active })
        if (message.heapBytesMax < this.#bytesMax) this.#observer?.heapBound?.(message.heapBytesMax)
        break
      case 'event':
        this.#observer?.noted?.(message.event)
        break
      case 'loads':
        this.#observer?.loaded?.(message.loads)
        break
      case 'catching-up':
        if (message.isOver) this.#catchingUp.delete(keyOf(message.version))
        else this.#catchingUp.set(keyOf(message.version), message.version)
        break
      case 'answers':
        for (const { call, answer } of unpackAnswers(message)) {
          const version = this.#calls.contextOf(call)?.version ?? null
          if (version !== null) this.#coolDowns.end(version.tenantId, version.index)
          if (answer.behind !== undefined) this.#observer?.answeredBehind?.()
          this.#resolve(call, answer)
        }
        for (const packed of message.errors) {
          const error = unpackError(packed)
          const version = this.#calls.contextOf(packed.call)?.version ?? null
          const isRefusal = error instanceof IndexRefused && version !== null
          this.#countAnswered(packed.call)
          this.#calls.reject(packed.call, isRefusal ? this.#coolDown(version, error.reason) : error)
        }
    }
  }

  #resolve(call: number, value: unknown): void {
    // A cool-down keeps an index that makes the worker die away from the next one, so the worker counts as healthy
    // again.
    this.#thread.noteUse()
    this.#countAnswered(call)
    this.#calls.resolve(call, value)
  }

  /** Counts an answer to a search, and sends the next ones of its queue once all are answered. */
  #countAnswered(call: number): void {
    const queue = this.#calls.contextOf(call)?.queue ?? null
    if (queue !== null && --queue.unanswered === 0) this.#flushSoon(queue)
  }

  /** Fails all waiting calls, since the thread that would answer them has ended. */
  #onEnd(cause: Error): void {
    this.#queues.clear()
    this.#coolSuspects()
    this.#calls.rejectAll(new EngineUnavailable(`the search worker stopped: ${cause.message}`, { cause }))
  }

  #refusalOf(tenantId: string, index: string): IndexRefused | null {
    const coolDown = this.#coolDowns.of(tenantId, index)
    return coolDown === null ? null : new IndexRefused(coolDown.reason, coolDown.remainingMs)
  }

  /** Starts a cool-down unless one is running. @returns the error for the index's searches */
  #coolDown({ tenantId, index }: IndexVersion, reason: RefusalReason): IndexRefused {
    const isNew = this.#coolDowns.begin(tenantId, index, reason)
    const refusal = this.#refusalOf(tenantId, index)!
    if (isNew) this.#observer?.refused({ tenantId, index, reason, retryAfterMs: refusal.retryAfterMs })
    return refusal
  }

  /** Starts cool-downs of the indexes that were being built, since one of them may have made the worker die. */
  #coolSuspects(): void {
    const suspects = [...this.#catchingUp.values()]
    this.#catchingUp.clear()
    for (const suspect of suspects) {
      const isOfSuspect = ({ version }: Call): boolean =>
        version?.tenantId === suspect.tenantId && version.index === suspect.index
      this.#calls.rejectAll(this.#coolDown(suspect, 'ended'), isOfSuspect)
    }
  }

  async #stop(): Promise<void> {
    this.#calls.rejectAll(new EngineUnavailable('search is shutting down'))
    await this.#thread.close()
  }
}

function keyOf({ tenantId, index, model }: IndexVersion): string {
  return `${index} ${model} ${tenantId}`
}

import { Worker } from 'node:worker_threads'
import {
  type EngineStatus,
  EngineUnavailable,
  IndexRefused,
  type IndexVersion,
  type RefusalReason,
  type SearchAnswer,
  type SearchEngine,
  type SearchRequest,
} from '../engine.ts'
import { CoolDowns } from './cool-downs.ts'
import { heapMbFor } from './heap-guard.ts'
import {
  type FromWorker,
  packSearches,
  type ToWorker,
  unpackAnswers,
  unpackError,
  type WorkerOptions,
} from './protocol.ts'

/** How long the worker may take to close its sources before it is ended. */
const CLOSE_TIMEOUT_MS = 5_000

/** For the operator. */
export interface EngineObserver {
  /** An index is not held for a while; once for each time, not for each search. */
  refused(refusal: {
    readonly tenantId: string
    readonly index: string
    readonly reason: RefusalReason
    readonly retryAfterMs: number
  }): void
  /** Node's heap has room for less than the budget. */
  heapBound?(heapBytesMax: number): void
}

interface Pending {
  readonly worker: Worker
  /** What is searched; null for what concerns no index. */
  readonly version: IndexVersion | null
  /** The queue it was sent from; null for what is not a search. */
  readonly queue: SearchQueue | null
  readonly resolve: (value: never) => void
  readonly reject: (error: Error) => void
}

interface QueuedSearch {
  readonly call: number
  readonly request: SearchRequest
}

/** The searches of one index that wait to be sent, and how many of those sent are not answered. */
interface SearchQueue {
  readonly key: string
  readonly tenantId: string
  readonly index: string
  waiting: QueuedSearch[]
  unanswered: number
}

/**
 * The in-process engine: indexes in a worker thread, so that neither searching nor building one delays the
 * calling thread. A worker that dies takes its pending calls with it; the next call starts another,
 * which builds its indexes anew from the sources.
 *
 * An index that the worker had no room for, or was building when it died, is not tried again for a while; meanwhile its
 * searches fail here, without any work.
 *
 * While searches of an index are under way, those that arrive for it wait and go together: a message wakes a
 * thread whatever is in it, and searches that arrive together share one scan. Other indexes do not wait.
 */
export class MemoryEngine implements SearchEngine {
  readonly #options: WorkerOptions
  #worker: Worker | null = null
  #pending = new Map<number, Pending>()
  readonly #queues = new Map<string, SearchQueue>()
  #isFlushDue = false
  #lastCall = 0
  #closing: Promise<void> | null = null
  readonly #observer: EngineObserver | null
  readonly #coolDowns: CoolDowns
  /** Indexes whose changes the worker is reading for longer than a moment, by index, model and tenant. */
  readonly #catchingUp = new Map<string, IndexVersion>()

  constructor(options: WorkerOptions, observer: EngineObserver | null = null, coolDowns = new CoolDowns()) {
    this.#options = options
    this.#observer = observer
    this.#coolDowns = coolDowns
    this.#worker = this.#start()
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    const { version } = request
    const { tenantId, index } = version
    const refusal = this.#refusalOf(tenantId, index)
    if (refusal !== null) return Promise.reject(refusal)
    const key = keyOf(version)
    const queue = this.#queues.get(key) ?? { key, tenantId, index, waiting: [], unanswered: 0 }
    const send = (call: number): void => {
      this.#queues.set(key, queue)
      queue.waiting.push({ call, request })
      this.#flushSoon(queue)
    }
    return this.#call(send, version, queue)
  }

  requireRoom(tenantId: string, index: string): void {
    const refusal = this.#refusalOf(tenantId, index)
    if (refusal !== null) throw refusal
  }

  warm(version: IndexVersion): Promise<void> {
    const refusal = this.#refusalOf(version.tenantId, version.index)
    if (refusal !== null) return Promise.reject(refusal)
    return this.#call((call) => this.#post({ kind: 'warm', call, version }), version)
  }

  drop(tenantId: string): Promise<void> {
    return this.#call((call) => this.#post({ kind: 'drop', call, tenantId }))
  }

  async status(): Promise<EngineStatus> {
    const status = await this.#call<EngineStatus>((call) => this.#post({ kind: 'status', call }))
    return { ...status, refused: this.#coolDowns.active }
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  #call<T>(
    send: (call: number) => void,
    version: IndexVersion | null = null,
    queue: SearchQueue | null = null,
  ): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new EngineUnavailable('search is shutting down'))
    const worker = (this.#worker ??= this.#start())
    const call = ++this.#lastCall
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(call, { worker, version, queue, resolve, reject })
      send(call)
    })
  }

  /** Has what waits sent at the end of this turn of the event loop, so that it takes along what the turn brings. */
  #flushSoon(queue: SearchQueue): void {
    if (queue.unanswered > 0 || this.#isFlushDue) return
    this.#isFlushDue = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isFlushDue = false
    const due: QueuedSearch[] = []
    for (const queue of this.#queues.values()) {
      if (queue.unanswered > 0) continue
      // Those that a stop failed meanwhile are not sent.
      const refusal = this.#refusalOf(queue.tenantId, queue.index)
      if (refusal !== null) for (const { call } of queue.waiting) this.#reject(call, refusal)
      const sent = queue.waiting.filter(({ call }) => this.#pending.has(call))
      queue.waiting = []
      queue.unanswered = sent.length
      if (sent.length === 0) this.#queues.delete(queue.key)
      due.push(...sent)
    }
    if (due.length === 0) return
    const message = packSearches(due)
    this.#worker?.postMessage(message, [message.vectors.buffer as ArrayBuffer])
  }

  #post(message: ToWorker): void {
    this.#worker?.postMessage(message)
  }

  #start(): Worker {
    const resourceLimits = { maxOldGenerationSizeMb: heapMbFor(this.#options.bytesMax) }
    const options = { workerData: this.#options, name: 'search', resourceLimits }
    const worker = new Worker(new URL('worker.ts', import.meta.url), options)
    let cause: unknown
    worker.on('message', (message: FromWorker) => this.#receive(message))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
      // All that waits was meant for this worker, and fails with it.
      this.#queues.clear()
      const reason = cause instanceof Error ? `: ${cause.message}` : ''
      this.#coolSuspects()
      this.#failAll(worker, new EngineUnavailable(`the search worker stopped${reason}`, { cause }))
    })
    return worker
  }

  #receive(message: FromWorker): void {
    switch (message.kind) {
      case 'done':
        this.#take(message.call)?.resolve(message.status as never)
        break
      case 'started':
        if (message.heapBytesMax < this.#options.bytesMax) this.#observer?.heapBound?.(message.heapBytesMax)
        break
      case 'catching-up':
        if (message.isOver) this.#catchingUp.delete(keyOf(message.version))
        else this.#catchingUp.set(keyOf(message.version), message.version)
        break
      case 'answers':
        for (const { call, answer } of unpackAnswers(message)) this.#resolve(call, answer)
        for (const packed of message.errors) {
          const error = unpackError(packed)
          const version = this.#pending.get(packed.call)?.version ?? null
          const isRefusal = error instanceof IndexRefused && version !== null
          this.#take(packed.call)?.reject(isRefusal ? this.#coolDown(version, error.reason) : error)
        }
    }
  }

  #resolve(call: number, answer: SearchAnswer): void {
    const pending = this.#take(call)
    if (pending === undefined) return
    if (pending.version !== null) this.#coolDowns.end(pending.version.tenantId, pending.version.index)
    pending.resolve(answer as never)
  }

  #refusalOf(tenantId: string, index: string): IndexRefused | null {
    const held = this.#coolDowns.of(tenantId, index)
    return held === null ? null : new IndexRefused(held.reason, held.remainingMs)
  }

  /** Begins a cool-down, unless one lasts. @returns what its searches fail with */
  #coolDown({ tenantId, index }: IndexVersion, reason: RefusalReason): IndexRefused {
    const isNew = this.#coolDowns.begin(tenantId, index, reason)
    const refusal = this.#refusalOf(tenantId, index)!
    if (isNew) this.#observer?.refused({ tenantId, index, reason, retryAfterMs: refusal.retryAfterMs })
    return refusal
  }

  /** What was being built when the worker died may be what it died of. */
  #coolSuspects(): void {
    const suspects = [...this.#catchingUp.values()]
    this.#catchingUp.clear()
    if (this.#closing !== null) return
    for (const version of suspects) {
      const refusal = this.#coolDown(version, 'ended')
      for (const [call, pending] of this.#pending) {
        if (pending.version?.tenantId !== version.tenantId || pending.version.index !== version.index) continue
        this.#reject(call, refusal)
      }
    }
  }

  #reject(call: number, error: Error): void {
    const pending = this.#pending.get(call)
    this.#pending.delete(call)
    pending?.reject(error)
  }

  #take(call: number): Pending | undefined {
    const pending = this.#pending.get(call)
    this.#pending.delete(call)
    if (pending !== undefined) this.#answered(pending)
    return pending
  }

  #answered({ queue }: Pending): void {
    if (queue !== null && --queue.unanswered === 0) this.#flushSoon(queue)
  }

  #failAll(worker: Worker, error: Error): void {
    for (const [call, pending] of this.#pending) if (pending.worker === worker) this.#reject(call, error)
  }

  async #stop(): Promise<void> {
    const worker = this.#worker
    if (worker === null) return
    this.#failAll(worker, new EngineUnavailable('search is shutting down'))
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage({ kind: 'close' } satisfies ToWorker)
    const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS)
    await exited
    clearTimeout(timer)
  }
}

function keyOf({ tenantId, index, model }: IndexVersion): string {
  return `${index} ${model} ${tenantId}`
}

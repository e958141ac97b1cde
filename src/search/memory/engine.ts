import { Worker } from 'node:worker_threads'
import {
  type EngineStatus,
  EngineUnavailable,
  type IndexVersion,
  type SearchAnswer,
  type SearchEngine,
  type SearchRequest,
} from '../engine.ts'
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

interface Pending {
  readonly worker: Worker
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
  waiting: QueuedSearch[]
  unanswered: number
}

/**
 * The in-process engine: indexes in a worker thread, so that neither searching nor building one delays the
 * calling thread. A worker that dies takes its pending calls with it; the next call starts another,
 * which builds its indexes anew from the sources.
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

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#worker = this.#start()
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    const { tenantId, index, model } = request.version
    const key = `${index} ${model} ${tenantId}`
    const queue = this.#queues.get(key) ?? { key, waiting: [], unanswered: 0 }
    return this.#call((call) => {
      this.#queues.set(key, queue)
      queue.waiting.push({ call, request })
      this.#flushSoon(queue)
    }, queue)
  }

  warm(version: IndexVersion): Promise<void> {
    return this.#call((call) => this.#post({ kind: 'warm', call, version }))
  }

  drop(tenantId: string): Promise<void> {
    return this.#call((call) => this.#post({ kind: 'drop', call, tenantId }))
  }

  status(): Promise<EngineStatus> {
    return this.#call((call) => this.#post({ kind: 'status', call }))
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  #call<T>(send: (call: number) => void, queue: SearchQueue | null = null): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new EngineUnavailable('search is shutting down'))
    const worker = (this.#worker ??= this.#start())
    const call = ++this.#lastCall
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(call, { worker, queue, resolve, reject })
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
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: this.#options, name: 'search' })
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
      this.#failAll(worker, new EngineUnavailable(`the search worker stopped${reason}`, { cause }))
    })
    return worker
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'done') {
      this.#take(message.call)?.resolve(message.status as never)
      return
    }
    for (const { call, answer } of unpackAnswers(message)) this.#take(call)?.resolve(answer as never)
    for (const error of message.errors) this.#take(error.call)?.reject(unpackError(error))
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
    for (const [call, pending] of this.#pending) {
      if (pending.worker !== worker) continue
      this.#pending.delete(call)
      pending.reject(error)
    }
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

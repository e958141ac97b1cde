import { type Transferable, Worker } from 'node:worker_threads'
import { CLOSE, isWarning, type ThreadProtocol } from './thread-port.ts'

/** How long a thread may take to finish what it does before it is terminated. */
const CLOSE_WITHIN_MS = 5_000
/** Pause before the third life in a row; before the second there is none. It doubles with every further one. */
const RESTART_FIRST_MS = 1_000
const RESTART_MAX_MS = 60_000
/** A thread that lived so long was well: its end is the first in a row. */
const SETTLED_AFTER_MS = 60_000

/** Where the operator reads what a thread has to say. */
export interface ThreadLog {
  warn(details: object, message: string): void
}

export interface SupervisorOptions<Protocol extends ThreadProtocol> {
  /** What the operator knows the thread by: `search` for "the search thread". */
  readonly name: string
  /** The module that the thread runs, which opens a `ThreadPort`. */
  readonly module: URL
  readonly data: Protocol['data']
  /** Most that V8 lets the thread's old generation grow to. */
  readonly heapMb?: number
  /** When the thread starts by itself, unless the first message starts it before; at once unless given. */
  readonly startAfterMs?: number
  readonly log: ThreadLog
  readonly onMessage?: (message: Protocol['told']) => void
  /** The thread ended and nobody had closed it: whatever it was asked is lost. Called before the next one starts. */
  readonly onEnd?: (error: Error) => void
  readonly closeWithinMs?: number
  /** The first pause before a restart, which the others double. */
  readonly restartFirstMs?: number
  readonly settledAfterMs?: number
}

/** What the operator may want to know of a thread. */
export interface ThreadHealth {
  readonly name: string
  /** Whether it ended and is not started again yet. */
  readonly isDown: boolean
  /** How often it was started again. */
  readonly restarts: number
}

/**
 * Keeps a worker thread running. A thread that ends by itself is started again: at once the first time, then after 1,
 * 2, 4 and so on up to 60 seconds, until one lives for a minute or has been of use. What was asked of a thread that
 * ended is lost; whoever asked is told by `onEnd` (see `PendingCalls`) and decides whether to ask again.
 */
export class Supervisor<Protocol extends ThreadProtocol> {
  readonly #options: SupervisorOptions<Protocol>
  #worker: Worker | null = null
  #hasStarted = false
  /** Starts the thread later: for the first time or again. */
  #timer: NodeJS.Timeout | null = null
  #startedAtMs = 0
  #endsInARow = 0
  #restarts = 0
  #closing: Promise<void> | null = null

  constructor(options: SupervisorOptions<Protocol>) {
    this.#options = options
    if (options.startAfterMs === undefined) this.#start()
    else this.#startAfter(options.startAfterMs)
  }

  /** Whether the thread ended and is not started again yet. */
  get isDown(): boolean {
    return this.#hasStarted && this.#worker === null && this.#closing === null
  }

  get health(): ThreadHealth {
    return { name: this.#options.name, isDown: this.isDown, restarts: this.#restarts }
  }

  /**
   * Sends the thread a message.
   * @param transfer what moves to the thread instead of being copied
   * @returns false when there is no thread to take it: it is down, or closed
   */
  post(order: Protocol['order'], transfer: Transferable[] = []): boolean {
    if (this.#closing !== null) return false
    if (!this.#hasStarted) this.#start()
    this.#worker?.postMessage(order, transfer)
    return this.#worker !== null
  }

  /** The thread has been of use: should it end now, it is started again at once. */
  noteUse(): void {
    this.#endsInARow = 0
  }

  /** Lets the thread finish what it does, for five seconds at most; then terminates it. */
  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#hasStarted) this.#restarts++
    this.#hasStarted = true
    this.#startedAtMs = performance.now()
    const { name, module, data, heapMb, onMessage } = this.#options
    const resourceLimits = heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb }
    const worker = new Worker(module, { name, workerData: data, resourceLimits })
    this.#worker = worker
    let cause: Error | null = null
    worker.on('message', (message: Protocol['told']) => {
      if (isWarning(message)) this.#options.log.warn({ error: message.error }, message.message)
      else onMessage?.(message)
    })
    worker.on('error', (error: Error) => {
      cause = error
    })
    worker.on('exit', (code) => {
      this.#worker = null
      if (this.#closing === null) this.#onEnd(cause ?? new Error(`the ${name} thread ended with code ${code}`))
      else if (cause !== null) this.#options.log.warn({ err: cause }, `the ${name} thread failed while it closed`)
    })
  }

  #onEnd(error: Error): void {
    const { name, log, onEnd, restartFirstMs = RESTART_FIRST_MS, settledAfterMs = SETTLED_AFTER_MS } = this.#options
    if (performance.now() - this.#startedAtMs >= settledAfterMs) this.#endsInARow = 0
    this.#endsInARow++
    const waitMs = this.#endsInARow === 1 ? 0 : Math.min(RESTART_MAX_MS, restartFirstMs * 2 ** (this.#endsInARow - 2))
    log.warn({ err: error, restartAfterMs: waitMs }, `the ${name} thread ended and is started again`)
    onEnd?.(error)
    if (waitMs === 0) this.#start()
    else this.#startAfter(waitMs)
  }

  #startAfter(ms: number): void {
    this.#timer = setTimeout(() => this.#start(), ms)
  }

  async #stop(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    const worker = this.#worker
    if (worker === null) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage(CLOSE)
    const late = setTimeout(() => void worker.terminate(), this.#options.closeWithinMs ?? CLOSE_WITHIN_MS)
    await ended
    clearTimeout(late)
  }
}

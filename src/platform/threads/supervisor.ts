import { type Transferable, Worker } from 'node:worker_threads'
import { RestartPauses } from '../restart-pauses.ts'
import type { Damage } from '../damage.ts'
import { HeapRelease } from './heap-release.ts'
import { CLOSE, isThreadDamage, isWarning, type ThreadProtocol } from './thread-port.ts'

/** Time for a closing thread to finish its work before it is terminated. */
const CLOSE_WITHIN_MS = 5_000

/** The log that shows the operator what happens to threads. */
export interface ThreadLog {
  warn(details: object, message: string): void
  /** Called when the database of a thread told of damage. */
  noteDamage?(damage: Damage): void
}

export interface SupervisorOptions<Protocol extends ThreadProtocol> {
  /** Name of the thread in messages: `search` for "the search thread". */
  readonly name: string
  /** The module that the thread runs, which opens a `ThreadPort`. */
  readonly module: URL
  readonly data: Protocol['data']
  /** Mebibytes up to which V8's old generation may grow in the thread. */
  readonly heapMb?: number
  /** Mebibytes up to which V8's young generation may grow in the thread. */
  readonly youngHeapMb?: number
  /**
   * Milliseconds until the first start; none by default. A message starts the thread earlier; with Infinity only a
   * message does.
   */
  readonly startAfterMs?: number
  readonly log: ThreadLog
  readonly onMessage?: (message: Protocol['report']) => void
  /**
   * Called when the thread ended without being closed, before the next start. The orders that it has not carried out
   * are lost.
   */
  readonly onEnd?: (error: Error) => void
  readonly closeWithinMs?: number
  /** Pause before the second restart in a row. */
  readonly restartFirstMs?: number
  /** See `RestartPauses`. */
  readonly settledAfterMs?: number
}

/** State of a thread for the operator. */
export interface ThreadHealth {
  readonly name: string
  /** Whether the thread has ended and not been restarted yet. */
  readonly isDown: boolean
  /** Number of restarts. */
  readonly restarts: number
}

/**
 * Keeps a worker thread running. A thread that ends by itself is restarted, after the pauses of `RestartPauses`. Work
 * in progress is lost when a thread ends; `onEnd` tells the code that uses the thread, which decides whether to ask
 * again (see `PendingCalls`).
 */
export class Supervisor<Protocol extends ThreadProtocol> {
  readonly #options: SupervisorOptions<Protocol>
  readonly #pauses: RestartPauses
  #worker: Worker | null = null
  #hasStarted = false
  /** Timer of the next start or restart. */
  #timer: NodeJS.Timeout | null = null
  #startedAtMs = 0
  #restarts = 0
  #closing: Promise<void> | null = null
  /** Ends of threads that were put to rest. */
  readonly #resting = new Set<Promise<void>>()

  constructor(options: SupervisorOptions<Protocol>) {
    this.#options = options
    this.#pauses = new RestartPauses(options.restartFirstMs, options.settledAfterMs)
    if (options.startAfterMs === undefined) this.#start()
    else if (options.startAfterMs < Infinity) this.#startAfter(options.startAfterMs)
  }

  /** Whether the thread has ended and not been restarted yet. */
  get isDown(): boolean {
    return this.#hasStarted && this.#worker === null && this.#closing === null
  }

  get health(): ThreadHealth {
    return { name: this.#options.name, isDown: this.isDown, restarts: this.#restarts }
  }

  /**
   * Sends the thread a message.
   * @param transfer objects that move to the thread instead of being copied
   * @returns false when the thread is down or closed
   */
  post(order: Protocol['order'], transfer: Transferable[] = []): boolean {
    if (this.#closing !== null) return false
    if (!this.#hasStarted) this.#start()
    this.#worker?.postMessage(order, transfer)
    return this.#worker !== null
  }

  /** Notes that the thread has done useful work: if it ends now, it is restarted at once. */
  noteUse(): void {
    this.#pauses.noteUse()
  }

  /**
   * Ends the thread until the next message, which starts it again. What it was asked before is lost, so call it while
   * the thread has nothing to do.
   */
  rest(): void {
    const worker = this.#worker
    if (worker === null || this.#closing !== null) return
    this.#worker = null
    this.#hasStarted = false
    const ended = this.#end(worker).finally(() => this.#resting.delete(ended))
    this.#resting.add(ended)
  }

  /** Gives the thread up to five seconds to finish its work, then terminates it. */
  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#hasStarted) this.#restarts++
    this.#hasStarted = true
    this.#startedAtMs = performance.now()
    const { name, module, data, heapMb, youngHeapMb, onMessage } = this.#options
    const resourceLimits = {
      ...(heapMb === undefined ? {} : { maxOldGenerationSizeMb: heapMb }),
      ...(youngHeapMb === undefined ? {} : { maxYoungGenerationSizeMb: youngHeapMb }),
    }
    const worker = new Worker(module, { name, workerData: data, resourceLimits })
    this.#worker = worker
    let cause: Error | null = null
    worker.on('message', (message: Protocol['report']) => {
      if (isWarning(message)) this.#options.log.warn({ error: message.error }, message.message)
      else if (isThreadDamage(message)) this.#options.log.noteDamage?.(message.damage)
      else if (this.#worker === worker) onMessage?.(message)
    })
    worker.on('error', (error: Error) => {
      cause = error
    })
    worker.on('exit', (code) => {
      HeapRelease.noteThreadEnd()
      const isWanted = this.#worker === worker && this.#closing === null
      if (this.#worker === worker) this.#worker = null
      if (isWanted) this.#onEnd(cause ?? new Error(`the ${name} thread ended with code ${code}`))
      else if (cause !== null) this.#options.log.warn({ err: cause }, `the ${name} thread failed while it closed`)
    })
  }

  #onEnd(error: Error): void {
    const { name, log, onEnd } = this.#options
    const waitMs = this.#pauses.afterEnd(performance.now() - this.#startedAtMs)
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
    if (this.#worker !== null) await this.#end(this.#worker)
    await Promise.all(this.#resting)
  }

  /** Asks a thread to end, and terminates it if it does not in time. */
  async #end(worker: Worker): Promise<void> {
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage(CLOSE)
    const late = setTimeout(() => void worker.terminate(), this.#options.closeWithinMs ?? CLOSE_WITHIN_MS)
    await ended
    clearTimeout(late)
  }
}

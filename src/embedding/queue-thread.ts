import { Worker } from 'node:worker_threads'
import type { FromQueueWorker, QueueWorkerData } from './queue-worker.ts'

/** Pause before a crashed thread is started again. */
const RESTART_DELAY_MS = 1_000

interface QueueThreadLog {
  warn(details: object, message: string): void
}

/** Keeps the embedding queue running in a thread of its own, so that embedding never delays an answer. */
export class QueueThread {
  readonly #data: QueueWorkerData
  readonly #log: QueueThreadLog
  #worker: Worker | null = null
  #stopped = false
  #restart: NodeJS.Timeout | null = null

  constructor(data: Omit<QueueWorkerData, 'startedAt'>, log: QueueThreadLog) {
    // Not taken by the thread: one that loads slowly, or is started again, would pass for a younger process.
    this.#data = { ...data, startedAt: Date.now() }
    this.#log = log
    this.#start()
  }

  /** There may be new jobs; without this they are found within a second. */
  wake(): void {
    this.#worker?.postMessage('wake')
  }

  /** Finishes the batch that runs, then ends. */
  async close(): Promise<void> {
    this.#stopped = true
    if (this.#restart !== null) clearTimeout(this.#restart)
    const worker = this.#worker
    if (worker === null) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('stop')
    await ended
  }

  #start(): void {
    const worker = new Worker(new URL('./queue-worker.ts', import.meta.url), { workerData: this.#data })
    this.#worker = worker
    worker.on('message', (message: FromQueueWorker) => {
      if (message.type === 'warning') this.#log.warn({ error: message.error }, message.message)
    })
    worker.on('error', (error) => this.#log.warn({ err: error }, 'the embedding thread crashed and is started again'))
    worker.on('exit', () => {
      this.#worker = null
      if (!this.#stopped) this.#restart = setTimeout(() => this.#start(), RESTART_DELAY_MS)
    })
  }
}

import { Supervisor, type ThreadHealth, type ThreadLog } from '../platform/threads/supervisor.ts'
import type { QueueThreadProtocol, QueueWorkerData } from './queue-worker.ts'

/** Keeps the embedding queue running in a thread of its own, so that embedding never delays an answer. */
export class QueueThread {
  readonly #thread: Supervisor<QueueThreadProtocol>

  constructor(data: QueueWorkerData, log: ThreadLog) {
    this.#thread = new Supervisor({
      name: 'embedding',
      module: new URL('queue-worker.ts', import.meta.url),
      data,
      log,
    })
  }

  get health(): ThreadHealth {
    return this.#thread.health
  }

  /** There may be new jobs; without this they are found within a second. */
  wake(): void {
    this.#thread.post('wake')
  }

  /** Finishes the batch that runs, as far as that takes no longer than a supervisor waits. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}

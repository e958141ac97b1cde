import { Supervisor, type ThreadHealth, type ThreadLog } from '../platform/threads/supervisor.ts'
import type { QueueThreadProtocol, QueueWorkerData } from './queue-worker.ts'

/** Runs the embedding queue in its own thread, so embedding never delays an answer. */
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

  /** Announces new jobs; without this call they are found within a second. */
  wake(): void {
    this.#thread.post('wake')
  }

  /** Lets the current batch finish, for at most as long as a supervisor waits. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}

import { Supervisor, type ThreadHealth, type ThreadLog } from '../platform/threads/supervisor.ts'
import type { OnCall } from './embedder-pool.ts'
import type { Backlog } from './job-store.ts'
import type { QueueReport, QueueThreadProtocol, QueueWorkerData } from './queue-worker.ts'

/** Runs the embedding queue in a thread of its own, so that embedding never delays an answer. */
export class QueueThread {
  readonly #thread: Supervisor<QueueThreadProtocol>
  readonly #onCall: OnCall
  readonly #onWritten: (tenantId: string) => void
  #backlog: Backlog | null = null

  /**
   * @param onCall called after each call of an embedder in the thread
   * @param onWritten called after the thread has stored vectors of a tenant
   */
  constructor(
    data: QueueWorkerData,
    log: ThreadLog,
    onCall: OnCall = () => undefined,
    onWritten: (tenantId: string) => void = () => undefined,
  ) {
    this.#onCall = onCall
    this.#onWritten = onWritten
    this.#thread = new Supervisor({
      name: 'embedding',
      module: new URL('queue-worker.ts', import.meta.url),
      data,
      log,
      onMessage: (report) => this.#receive(report),
    })
  }

  /** The backlog as the thread last counted it, a few seconds ago; null before its first count. */
  get backlog(): Backlog | null {
    return this.#backlog
  }

  get health(): ThreadHealth {
    return this.#thread.health
  }

  /** Announces new jobs; without this call an idle queue finds them within a second. */
  wake(): void {
    this.#thread.post('wake')
  }

  #receive(report: QueueReport): void {
    if (report.kind === 'call') this.#onCall(report.call)
    else if (report.kind === 'written') this.#onWritten(report.tenantId)
    else this.#backlog = report.backlog
  }

  /** Closes the thread after its current batch, at the latest when the supervisor stops waiting. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}

import { Supervisor, type ThreadHealth, type ThreadLog } from '../platform/threads/supervisor.ts'
import { NO_READER } from './contextual/no-reader.ts'
import type { TextReader } from './contextual/reader.ts'
import { ReaderRelay } from './contextual/relayed-reader.ts'
import type { OnCall } from './embedder-pool.ts'
import type { Backlog } from './job-store.ts'
import type { QueueReport, QueueThreadProtocol, QueueWorkerData } from './queue-worker.ts'

/** Runs the embedding queue in a thread of its own, so that embedding never delays an answer. */
export class QueueThread {
  readonly #thread: Supervisor<QueueThreadProtocol>
  readonly #onCall: OnCall
  readonly #onWritten: (tenantId: string) => void
  readonly #relay: ReaderRelay
  #backlog: Backlog | null = null

  /**
   * @param onCall called after each call of an embedder in the thread
   * @param onWritten called after the thread has stored vectors of a tenant
   * @param reader reads texts for the thread, too; by default none are read
   */
  constructor(
    data: Omit<QueueWorkerData, 'readerAbsence'>,
    log: ThreadLog,
    onCall: OnCall = () => undefined,
    onWritten: (tenantId: string) => void = () => undefined,
    reader: TextReader = NO_READER,
  ) {
    this.#onCall = onCall
    this.#onWritten = onWritten
    this.#relay = new ReaderRelay(reader, (order) => this.#thread.post(order))
    this.#thread = new Supervisor({
      name: 'embedding',
      module: new URL('queue-worker.ts', import.meta.url),
      data: { ...data, readerAbsence: reader.absence },
      log,
      onMessage: (report) => this.#receive(report),
      onEnd: () => this.#relay.dropAll(),
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
    else if (report.kind === 'backlog') this.#backlog = report.backlog
    else this.#relay.receive(report)
  }

  /** Closes the thread after its current batch, at the latest when the supervisor stops waiting. */
  close(): Promise<void> {
    return this.#thread.close()
  }
}

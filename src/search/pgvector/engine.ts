import { PendingCalls } from '../../platform/threads/pending-calls.ts'
import { spending } from '../../platform/telemetry/work-record.ts'
import { Supervisor, type ThreadHealth, type ThreadLog } from '../../platform/threads/supervisor.ts'
import {
  type EngineForRequests,
  type EngineStatus,
  EngineUnavailable,
  type IndexVersion,
  type SearchAnswer,
  type SearchRequest,
  SearchTimedOut,
} from '../engine.ts'
import { within } from '../../platform/within.ts'
import { packSearches, unpackAnswers, unpackError } from '../memory/host/protocol.ts'
import type { EngineObserver } from '../memory/host/engine.ts'
import { WrittenTenants } from '../written-tenants.ts'
import type { ReplicaThreadOptions, ReplicaThreadProtocol } from './protocol.ts'

/** Megabytes of heap of the thread: replicas lie in PostgreSQL, so it has only the candidates of a few searches. */
const HEAP_MB = 256
/**
 * Milliseconds that a search may take beyond its wait, more than the thread itself allows. Then it fails, even if the
 * thread does not get to it.
 */
const LATE_MS = 20_000

/**
 * The engine with replicas in PostgreSQL, for tenants that outgrow the memory of a process. A thread of its own chooses
 * and ranks candidates, so searches do not delay the calling thread.
 */
export class PgvectorEngine implements EngineForRequests {
  readonly #thread: Supervisor<ReplicaThreadProtocol>
  readonly #calls = new PendingCalls<'search' | null>()
  readonly #observer: Pick<EngineObserver, 'answeredBehind'>
  readonly #waitMs: number
  readonly #written = new WrittenTenants((tenantIds) => {
    if (this.#isUp) this.#thread.post({ kind: 'written', tenantIds })
  })
  #closing: Promise<void> | null = null

  constructor(options: ReplicaThreadOptions, log: ThreadLog, observer: Pick<EngineObserver, 'answeredBehind'> = {}) {
    this.#observer = observer
    this.#waitMs = Math.max(options.buildWaitMs, options.catchUpWaitMs)
    this.#thread = new Supervisor({
      name: 'replicas',
      module: new URL('worker.ts', import.meta.url),
      data: options,
      heapMb: HEAP_MB,
      // The first call starts the thread, since most services have no tenant with this engine.
      startAfterMs: Infinity,
      log,
      onMessage: (message) => this.#receive(message),
      onEnd: (cause) =>
        this.#calls.rejectAll(
          new EngineUnavailable(`the thread of search replicas stopped: ${cause.message}`, { cause }),
        ),
    })
  }

  get health(): ThreadHealth {
    return this.#thread.health
  }

  /** Number of searches that wait for the thread. */
  get waiting(): number {
    return this.#calls.count((kind) => kind === 'search')
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    const mostMs = Math.max(this.#waitMs, request.texts?.waitMs ?? 0) + LATE_MS
    const late = (): Error => new SearchTimedOut('the thread of search replicas does not answer in time')
    const ask = (call: number): void => {
      const message = packSearches([{ call, request }])
      this.#thread.post(message, [message.vectors.buffer as ArrayBuffer])
    }
    return spending('search', () => within(mostMs, this.#call<SearchAnswer>(ask, 'search'), late))
  }

  /** Does nothing, since a replica needs no memory of this process. */
  requireRoom(): void {}

  /** Brings a replica up to date, however long that takes. @throws EngineUnavailable, IndexBuilding */
  warm(version: IndexVersion): Promise<void> {
    return this.#call((call) => this.#thread.post({ kind: 'warm', call, version }))
  }

  /**
   * Lets the replicas of a tenant follow a write, so that no search waits for it later. This starts the thread, so call
   * it for tenants that have a replica.
   */
  noteWritten(tenantId: string): void {
    if (this.#isUp) this.#written.note(tenantId)
  }

  status(tenantId: string | null = null): Promise<EngineStatus> {
    return this.#call((call) => this.#thread.post({ kind: 'status', call, tenantId }))
  }

  close(): Promise<void> {
    this.#closing ??= this.#stop()
    return this.#closing
  }

  get #isUp(): boolean {
    return this.#closing === null && !this.#thread.isDown
  }

  #call<T>(send: (call: number) => void, kind: 'search' | null = null): Promise<T> {
    if (this.#closing !== null) return Promise.reject(new EngineUnavailable('search is shutting down'))
    if (this.#thread.isDown)
      return Promise.reject(new EngineUnavailable('the thread of search replicas is starting again'))
    return this.#calls.open<T>(kind, send)
  }

  #receive(message: ReplicaThreadProtocol['report']): void {
    this.#thread.noteUse()
    if (message.kind === 'done') this.#calls.resolve(message.call, message.value)
    else if (message.kind === 'failed') this.#calls.reject(message.error.call, unpackError(message.error))
    else for (const { call, answer } of unpackAnswers(message)) this.#answer(call, answer)
  }

  #answer(call: number, answer: SearchAnswer): void {
    if (answer.behind !== undefined) this.#observer.answeredBehind?.()
    this.#calls.resolve(call, answer)
  }

  async #stop(): Promise<void> {
    this.#calls.rejectAll(new EngineUnavailable('search is shutting down'))
    await this.#thread.close()
  }
}

import cluster from 'node:cluster'
import { join } from 'node:path'
import { PendingCalls } from '../threads/pending-calls.ts'
import {
  COUNT_VARIABLE,
  FIRST_VARIABLE,
  type FromProcess,
  NUMBER_VARIABLE,
  SOCKETS_VARIABLE,
  type StopSignal,
  type ToProcess,
} from './messages.ts'

/** Time for the supervisor to send the metrics of all processes; it waits for one second itself. */
const SCRAPE_WITHIN_MS = 3_000

/** Reason why a process has to end: the service stops, or another process has taken over. */
export type Ending = StopSignal | 'hand-over'

/** Connection of a service process to its supervisor. */
export class ProcessPort {
  /** Number of this process, from 1; the same after a restart. */
  readonly number = Number(process.env[NUMBER_VARIABLE])
  /** Whether this process starts alone, before the others. */
  readonly isFirst = process.env[FIRST_VARIABLE] === 'true'
  /** Number of processes. */
  readonly count = Number(process.env[COUNT_VARIABLE])
  /** Path of the socket at which other processes reach this one. A process and its replacement have different paths. */
  readonly socket = join(process.env[SOCKETS_VARIABLE] ?? '', `${this.number}-${process.pid}`)
  /** Resolves when the supervisor wants this process to end. */
  readonly ending: Promise<Ending>
  readonly #calls = new PendingCalls<null>()
  #onPeers: (peers: ReadonlyMap<number, string>) => void = () => undefined
  #peers: ReadonlyMap<number, string> = new Map()
  #isReachable = false
  #ownMetrics: () => Promise<string> = () => Promise.resolve('')
  /** Answer to the running scrape; null when none runs. */
  #scraping: Promise<string> | null = null

  private constructor() {
    const { promise, resolve } = Promise.withResolvers<Ending>()
    this.ending = promise
    process.on('message', (message: ToProcess) => {
      if (message.kind === 'stop') resolve(message.signal)
      else if (message.kind === 'hand-over') resolve('hand-over')
      else if (message.kind === 'scraped') this.#calls.resolve(message.call, message.text)
      else if (message.kind === 'peers') this.#setPeers(new Map(message.peers))
      else void this.#tellMetrics(message.call)
    })
    // Otherwise the channel would keep a process alive whose start has failed.
    process.channel?.unref()
  }

  /** Returns the port of this process; null in a process without a supervisor. */
  static open(): ProcessPort | null {
    return cluster.isWorker ? new ProcessPort() : null
  }

  /** Sets the source of this process's metrics. @param read returns them in the text format of Prometheus */
  publish(read: () => Promise<string>): void {
    this.#ownMetrics = read
  }

  /** Tells the supervisor that this process serves, and whether others reach it at its socket (`noteReachable`). */
  tellServing(): void {
    this.#tell({ kind: 'serving', socket: this.#isReachable ? this.socket : null })
  }

  /** Calls `onPeers` now and at each change. @param onPeers gets the sockets of all processes that serve, by number */
  watchPeers(onPeers: (peers: ReadonlyMap<number, string>) => void): void {
    this.#onPeers = onPeers
    onPeers(this.#peers)
  }

  /** Notes that this process listens at its socket. */
  noteReachable(): void {
    this.#isReachable = true
  }

  /**
   * Returns the metrics of all processes, or of this one alone while the supervisor does not answer. Requests share a
   * running scrape: the supervisor's thread accepts all connections, and must not write the text once for each request.
   */
  scrape(): Promise<string> {
    this.#scraping ??= this.#scrape().finally(() => (this.#scraping = null))
    return this.#scraping
  }

  async #scrape(): Promise<string> {
    const answer = this.#calls.open<string>(null, (call) => {
      this.#tell({ kind: 'scrape', call })
      setTimeout(() => this.#calls.reject(call, new Error('the supervisor did not answer')), SCRAPE_WITHIN_MS).unref()
    })
    return answer.catch(() => this.#ownMetrics())
  }

  #setPeers(peers: ReadonlyMap<number, string>): void {
    this.#peers = peers
    this.#onPeers(peers)
  }

  async #tellMetrics(call: number): Promise<void> {
    // Without an answer of this process, the supervisor sends the metrics of the others.
    const text = await this.#ownMetrics().catch(() => null)
    if (text !== null) this.#tell({ kind: 'metrics', call, text })
  }

  /** Sends a message. Once the supervisor is gone, this process ends too, and needs to send none. */
  #tell(message: FromProcess): void {
    if (process.connected) process.send!(message, () => undefined)
  }
}

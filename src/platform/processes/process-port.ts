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

/** How long the supervisor may take for the metrics of all processes; it waits for one second itself. */
const SCRAPE_WITHIN_MS = 3_000

/** Why a process has to end: its service stops, or another process has taken over. */
export type Ending = StopSignal | 'hand-over'

/** The end of a service process on the line to its supervisor. */
export class ProcessPort {
  /** From 1; the same after a restart. */
  readonly number = Number(process.env[NUMBER_VARIABLE])
  /** Whether it starts alone, before the others. */
  readonly isFirst = process.env[FIRST_VARIABLE] === 'true'
  /** How many processes there are. */
  readonly count = Number(process.env[COUNT_VARIABLE])
  /** Where the other processes may reach this one. No two processes have the same path, also with the same number. */
  readonly socket = join(process.env[SOCKETS_VARIABLE] ?? '', `${this.number}-${process.pid}`)
  /** Resolves when the supervisor wants this process to end. */
  readonly ending: Promise<Ending>
  readonly #calls = new PendingCalls<null>()
  #onPeers: (peers: ReadonlyMap<number, string>) => void = () => undefined
  #peers: ReadonlyMap<number, string> = new Map()
  #isReachable = false
  #ownMetrics: () => Promise<string> = () => Promise.resolve('')
  /** The scrape that runs. */
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
    // Otherwise a start that has failed would stay alive for messages.
    process.channel?.unref()
  }

  /** The port of this process; null in a process without a supervisor. */
  static open(): ProcessPort | null {
    return cluster.isWorker ? new ProcessPort() : null
  }

  /** @param read the metrics of this process, in the text format of Prometheus */
  publish(read: () => Promise<string>): void {
    this.#ownMetrics = read
  }

  /** Says that this process serves, and that others reach it at its socket, if it said that it listens there. */
  tellServing(): void {
    this.#tell({ kind: 'serving', socket: this.#isReachable ? this.socket : null })
  }

  /** @param onPeers gets the sockets of all processes that serve, by number, now and at each change */
  watchPeers(onPeers: (peers: ReadonlyMap<number, string>) => void): void {
    this.#onPeers = onPeers
    onPeers(this.#peers)
  }

  /** Notes that this process listens at its socket. */
  noteReachable(): void {
    this.#isReachable = true
  }

  /**
   * The metrics of all processes, or of this one alone while the supervisor does not answer. Requests share the scrape
   * that runs: the supervisor's thread accepts all connections, and must not write the text once for each of them.
   */
  scrape(): Promise<string> {
    this.#scraping ??= this.#scrape().finally(() => (this.#scraping = null))
    return this.#scraping
  }

  async #scrape(): Promise<string> {
    const asked = this.#calls.open<string>(null, (call) => {
      this.#tell({ kind: 'scrape', call })
      setTimeout(() => this.#calls.reject(call, new Error('the supervisor did not answer')), SCRAPE_WITHIN_MS).unref()
    })
    return asked.catch(() => this.#ownMetrics())
  }

  #setPeers(peers: ReadonlyMap<number, string>): void {
    this.#peers = peers
    this.#onPeers(peers)
  }

  async #tellMetrics(call: number): Promise<void> {
    // Without its metrics the others are told all the same.
    const text = await this.#ownMetrics().catch(() => null)
    if (text !== null) this.#tell({ kind: 'metrics', call, text })
  }

  /** Once the supervisor is gone, this process ends too, and nobody has to be told. */
  #tell(message: FromProcess): void {
    if (process.connected) process.send!(message, () => undefined)
  }
}

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds after its last small piece in which the connections of an address are read in turns. */
const WATCHED_MS = 10_000
/** Turns of the event loop that a reading waits at most while new connections keep arriving. */
const ARRIVALS_MAX = 256
/** Time for others after each reading, as a multiple of what its turn of the event loop took. */
const REST_SHARE = 3
/** Milliseconds of that time at most. */
const REST_MAX_MS = 100
/** Number of watched addresses from which on those whose time is over are forgotten. */
const WATCHED_MANY = 1_000

/**
 * Reads the connections of an address one by one, a part of each in one turn of the event loop, from when the address
 * has sent a body in many small pieces or too many requests ahead. Otherwise all its connections that have something
 * would be read in the same turn, and no other address would be served until that is done. Other addresses have three
 * quarters of the time, and a turn of the event loop accepts one connection, so new connections go before any reading.
 */
export class ReadTurns {
  readonly #now: () => number
  readonly #later: (run: () => void, ms: number) => void
  /** Open connections by address. */
  readonly #sockets = new Map<string, Set<Socket>>()
  readonly #addresses = new WeakMap<Socket, string>()
  /** Addresses whose connections are read in turns, and until when. */
  readonly #watched = new Map<string, number>()
  /** Connections that wait for their turn, with the request whose body they bring, in their order. */
  readonly #waiting = new Map<Socket, IncomingMessage | null>()
  /** Connections that are read no more. */
  readonly #stopped = new WeakSet<Socket>()
  #isScheduled = false
  /** Whether a connection has arrived in this turn of the event loop. */
  #hasArrival = false
  /** Turns of the event loop that the next reading has waited for arrivals. */
  #arrivals = 0

  /**
   * @param now clock in milliseconds
   * @param later calls a function after so many milliseconds
   */
  constructor(now: () => number, later = (run: () => void, ms: number): void => void setTimeout(run, ms).unref()) {
    this.#now = now
    this.#later = later
  }

  /** Number of an address's open connections. */
  countOf(address: string): number {
    return this.#sockets.get(address)?.size ?? 0
  }

  /** Adds a connection of an address until it closes. */
  add(socket: Socket, address: string): void {
    const sockets = this.#sockets.get(address) ?? new Set()
    this.#sockets.set(address, sockets.add(socket))
    this.#addresses.set(socket, address)
    this.#hasArrival = true
    socket.once('close', () => {
      sockets.delete(socket)
      this.#waiting.delete(socket)
      if (sockets.size === 0) this.#sockets.delete(address)
    })
  }

  /** Makes a new connection wait, once its listeners are there, if its address is read in turns. */
  begin(socket: Socket): void {
    // The server has scheduled that the connection is read. Pausing it before that happens would be undone.
    if (this.#isWatched(socket)) process.nextTick(() => this.#wait(socket, null))
  }

  /** Reads all connections of an address in turns from now on. Connections that were never added are left alone. */
  watch(socket: Socket): void {
    const address = this.#addresses.get(socket)
    if (address === undefined) return
    const isNew = !this.#isWatched(socket)
    if (isNew && this.#watched.size >= WATCHED_MANY) this.#forgetOld()
    this.#watched.set(address, this.#now() + WATCHED_MS)
    if (isNew) for (const other of this.#sockets.get(address) ?? []) if (other !== socket) this.#wait(other, null)
  }

  /** Reads nothing more from a connection, which will close, and all others of its address in turns. */
  stop(socket: Socket): void {
    this.#stopped.add(socket)
    this.#waiting.delete(socket)
    socket.pause()
    // Node's HTTP server resumes a connection after each request that it has parsed.
    socket.resume = () => socket
    this.watch(socket)
  }

  /** Makes a connection wait after a part of a body was read from it, if its address is read in turns. */
  noteRead(request: IncomingMessage): void {
    if (this.#watched.size > 0 && this.#isWatched(request.socket)) this.#wait(request.socket, request)
  }

  /** Tells whether a connection waits for its turn, or has had its last. */
  isWaiting(socket: Socket): boolean {
    return this.#waiting.has(socket) || this.#stopped.has(socket)
  }

  #isWatched(socket: Socket): boolean {
    if (this.#watched.size === 0) return false
    const address = this.#addresses.get(socket)
    const until = address === undefined ? undefined : this.#watched.get(address)
    if (until === undefined) return false
    if (this.#now() < until) return true
    this.#watched.delete(address!)
    return false
  }

  #forgetOld(): void {
    const now = this.#now()
    for (const [address, until] of this.#watched) if (until <= now) this.#watched.delete(address)
  }

  #wait(socket: Socket, request: IncomingMessage | null): void {
    if (this.#stopped.has(socket)) return
    const waited = this.#waiting.get(socket)
    if (waited === undefined) {
      socket.pause()
      if (!this.#isScheduled) this.#schedule()
    }
    if (waited === undefined || (waited === null && request !== null)) this.#waiting.set(socket, request)
  }

  #schedule(): void {
    this.#isScheduled = true
    this.#hasArrival = false
    setImmediate(this.#next)
  }

  /** Lets the connection that has waited longest be read, unless connections arrive. */
  readonly #next = (): void => {
    if (this.#waiting.size === 0) {
      this.#isScheduled = false
      return
    }
    if (this.#hasArrival && this.#arrivals++ < ARRIVALS_MAX) return this.#schedule()
    this.#arrivals = 0
    const [[socket, request]] = this.#waiting
    this.#waiting.delete(socket)
    // A full stream asks for more by itself once its reader has caught up.
    if (request === null || request.readableLength < request.readableHighWaterMark) socket.resume()
    const began = this.#now()
    // The system reads between this callback and the next.
    setImmediate(() => {
      const restMs = Math.min(REST_MAX_MS, Math.floor(REST_SHARE * (this.#now() - began)))
      if (restMs === 0) this.#next()
      else this.#later(this.#next, restMs)
    })
  }
}

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** Milliseconds after its last small piece in which the connections of an address are read in turns. */
const WATCHED_MS = 10_000
/** Number of watched addresses beyond which those whose time is over are forgotten. */
const WATCHED_MANY = 1_000

/**
 * Reads the connections of an address one by one, a part of each in one turn of the event loop, from when the address
 * has sent a body in many small pieces. Otherwise the event loop would read all its connections that have data in one
 * turn, and serve no other address until that is done.
 */
export class ReadTurns {
  readonly #now: () => number
  /** Open connections by address. */
  readonly #sockets = new Map<string, Set<Socket>>()
  readonly #addresses = new WeakMap<Socket, string>()
  /** Addresses whose connections are read in turns, and until when. */
  readonly #watched = new Map<string, number>()
  /** Connections that wait for their turn, with the request whose body they bring, in their order. */
  readonly #waiting = new Map<Socket, IncomingMessage | null>()
  #isScheduled = false

  constructor(now: () => number) {
    this.#now = now
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
    socket.once('close', () => {
      sockets.delete(socket)
      this.#waiting.delete(socket)
      if (sockets.size === 0) this.#sockets.delete(address)
    })
  }

  /** Makes a new connection wait, once its listeners are there, if its address is read in turns. */
  begin(socket: Socket): void {
    if (this.#isWatched(socket)) this.#wait(socket, null)
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

  /** Makes a connection wait after a part of a body was read from it, if its address is read in turns. */
  noteRead(request: IncomingMessage): void {
    if (this.#watched.size > 0 && this.#isWatched(request.socket)) this.#wait(request.socket, request)
  }

  /** Tells whether a connection waits for its turn. */
  isWaiting(socket: Socket): boolean {
    return this.#waiting.has(socket)
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
    const waited = this.#waiting.get(socket)
    if (waited === undefined) {
      socket.pause()
      if (!this.#isScheduled) this.#schedule()
    }
    if (waited === undefined || (waited === null && request !== null)) this.#waiting.set(socket, request)
  }

  #schedule(): void {
    this.#isScheduled = true
    setImmediate(this.#next)
  }

  /** Lets the connection that has waited longest be read. */
  readonly #next = (): void => {
    this.#isScheduled = false
    const [first] = this.#waiting
    if (first === undefined) return
    const [socket, request] = first
    this.#waiting.delete(socket)
    // A full stream asks for more by itself once its reader has caught up.
    if (request === null || request.readableLength < request.readableHighWaterMark) socket.resume()
    if (this.#waiting.size > 0) this.#schedule()
  }
}

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { clientAddress } from '../../throttling/client-address.ts'
import { countedRequest } from './body-pieces.ts'
import { endWith, refuseConnection } from './client-errors.ts'
import { TOO_MANY_CONNECTIONS, TOO_MANY_PIECES } from '../errors.ts'
import { openFilesMax } from './open-files.ts'
import { ReadTurns } from './read-turns.ts'

export const CONNECTIONS_MAX = 8_192
const LOG_INTERVAL_MS = 60_000

const IDLE_MS = 120_000
/** Milliseconds that the rest of a request may take, beside the longest wait in it. */
const REST_MS = 30_000

/**
 * Returns the milliseconds that a connection may be without traffic. They exceed the longest wait of a request, so that
 * no such request is cut off.
 */
export function idleTimeoutFor(longestWaitMs: number): number {
  return Math.max(IDLE_MS, longestWaitMs + REST_MS)
}

type Log = Pick<FastifyBaseLogger, 'warn'>

export interface ConnectionBounds {
  /** Connections of one address at the same time (IPv6: of one /64); 0 for no limit. */
  readonly perAddress: number
  /** Tells whether an address is a trusted proxy, which carries the connections of many clients. */
  readonly isProxy: (address: string) => boolean
  /** Milliseconds without traffic after which a connection is closed, even during a request. */
  readonly idleTimeoutMs: number
  /** Milliseconds after which a connection is closed whose client reads nothing of an answer. */
  readonly unreadTimeoutMs: number
}

/**
 * Limits the number of connections and how long they may be idle. Connections beyond the limit are answered and closed
 * before anything is read from them.
 */
export class Connections {
  readonly #bounds: ConnectionBounds
  readonly #now: () => number
  readonly #turns: ReadTurns
  /** State of connections that were quiet: total bytes read and written, and when that total last changed. */
  readonly #quiet = new WeakMap<Socket, { readonly bytes: number; readonly sinceMs: number }>()
  #log: Log = { warn: () => undefined }
  #refused = 0
  #loggedAtMs = -Infinity

  constructor(bounds: ConnectionBounds, now: () => number = () => performance.now()) {
    this.#bounds = bounds
    this.#now = now
    this.#turns = new ReadTurns(now)
  }

  /** Milliseconds without traffic after which a connection is checked. */
  get quietMs(): number {
    return Math.min(this.#bounds.idleTimeoutMs, this.#bounds.unreadTimeoutMs)
  }

  /** Class of the server's requests, which judges how their bodies arrive. */
  get requestClass(): typeof IncomingMessage {
    return countedRequest({
      noteSmall: (socket) => this.#turns.watch(socket),
      noteRead: (request) => this.#turns.noteRead(request),
      isWaiting: (socket) => this.#turns.isWaiting(socket),
      refuse: (socket) => this.#refusePieces(socket),
    })
  }

  /** Reads nothing more from a connection that will close: what it sends would be parsed and kept for nothing. */
  stopReading(socket: Socket): void {
    this.#turns.stop(socket)
  }

  /** Takes over a server's handling of new and of quiet connections. */
  guard(server: Server, log: Log): void {
    this.#log = log
    const serving = server.listeners('connection') as ((socket: Socket) => void)[]
    server.removeAllListeners('connection')
    server.on('connection', (socket: Socket) => {
      if (!this.#admit(socket, log)) return
      for (const serve of serving) serve.call(server, socket)
      this.#turns.begin(socket)
    })
    server.maxConnections = Math.min(CONNECTIONS_MAX, Math.floor((openFilesMax() ?? Infinity) / 2))
    // Without this property, Node passes a connection beyond the limit on to the next of several processes. Once all
    // are full, the connection goes round for ever. Node's types do not have the property.
    Object.assign(server, { dropMaxConnection: true })
    server.on('drop', () => this.#warn(log, 'too many connections: more of them are closed'))
    server.on('timeout', (socket: Socket) => this.#check(socket))
  }

  #admit(socket: Socket, log: Log): boolean {
    const { perAddress, isProxy } = this.#bounds
    const ip = socket.remoteAddress
    // The connection closed before it was checked.
    if (ip === undefined || isProxy(ip)) return true
    const address = clientAddress(ip)
    if (perAddress > 0 && this.#turns.countOf(address) >= perAddress) {
      socket.on('error', () => socket.destroy())
      endWith(TOO_MANY_CONNECTIONS, socket)
      this.#warn(
        log,
        'an address has too many connections: more of them are closed (see CONNECTIONS_PER_ADDRESS)',
        address,
      )
      return false
    }
    this.#turns.add(socket, address)
    return true
  }

  #refusePieces(socket: Socket): void {
    const msg = 'a body came in pieces that are too small: its connection is closed'
    this.#warn(this.#log, msg, clientAddress(socket.remoteAddress ?? ''))
    refuseConnection(TOO_MANY_PIECES, socket)
  }

  /** Logs at most one line a minute, however many connections are refused. */
  #warn(log: Log, msg: string, address?: string): void {
    this.#refused++
    const now = this.#now()
    if (now - this.#loggedAtMs < LOG_INTERVAL_MS) return
    log.warn({ refused: this.#refused, ...(address === undefined ? {} : { address }) }, msg)
    this.#loggedAtMs = now
    this.#refused = 0
  }

  /**
   * Closes a connection that was quiet for too long. Runs after `quietMs` without traffic; Node also counts a shrinking
   * answer as traffic.
   */
  #check(socket: Socket): void {
    // The time limit between two requests is Node's own.
    const isBetweenRequests = socket.timeout !== this.quietMs
    if (isBetweenRequests || socket.writableLength > 0) {
      socket.destroy()
      return
    }
    const bytes = socket.bytesRead + socket.bytesWritten
    const previous = this.#quiet.get(socket)
    const now = this.#now()
    const sinceMs = previous?.bytes === bytes ? previous.sinceMs : now - this.quietMs
    if (now - sinceMs >= this.#bounds.idleTimeoutMs) socket.destroy()
    else {
      this.#quiet.set(socket, { bytes, sinceMs })
      socket.setTimeout(this.quietMs)
    }
  }
}

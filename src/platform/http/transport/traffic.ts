import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyReply, onRequestHookHandler } from 'fastify'
import { HttpRefusal, STOPPING, TOO_MANY_FIELDS, TOO_MANY_WAITING, URL_TOO_LONG } from '../errors.ts'
import { framingFault } from './framing.ts'
import type { HttpApp } from '../route.ts'

const URL_CHARACTERS_MAX = 8_192
/** More than twice what any route takes; each costs all that looks for its own. */
const QUERY_FIELDS_MAX = 256
/** Requests of one connection that may wait behind the one that is answered: a packet has room for hundreds. */
const WAITING_MAX = 32

/** Probes are answered to the last. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** Told of each answer that ended: the route's pattern (empty when none matched), its status and how long it took. */
export type Observe = (method: string, route: string, status: number, durationMs: number) => void

interface Tracked extends ServerResponse {
  trackedAtMs?: number
  trackedRoute?: string
  /** The connection on which it waits behind another answer; absent when it does not. */
  waitsOn?: Socket
}

/** What every answer says, whatever else. */
export function setEveryHeader(reply: FastifyReply): void {
  reply.header('x-request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  reply.header('referrer-policy', 'no-referrer')
}

/** How many fields a query has, if any; empty ones count, since somebody has to pass over them. */
function fieldsIn(url: string): number {
  let count = 1
  for (let at = url.indexOf('&'); at >= 0; at = url.indexOf('&', at + 1)) count++
  return count
}

/** Counts the requests that run, and turns new ones away while the service stops. */
export class Traffic {
  inFlight = 0
  isStopping = false
  private readonly observe: Observe | null
  private waiters: (() => void)[] = []
  /** How many requests of a connection wait behind others. */
  private readonly waiting = new WeakMap<Socket, number>()
  /** Connections that end with the refusal of one request too many. */
  private readonly overflown = new WeakSet<Socket>()

  constructor(observe: Observe | null) {
    this.observe = observe
  }

  /**
   * The first hook of every request. `close` is the one event that always comes, also when the client
   * goes away, so that the count stays right.
   */
  readonly enter: onRequestHookHandler = (request, reply, done) => {
    const raw = reply.raw as Tracked
    raw.trackedAtMs = performance.now()
    raw.trackedRoute = request.routeOptions.url ?? ''
    raw.on('close', this.leave)
    this.inFlight++
    // Most proxies pass this one on as the client sent it. Which tenant a request is for, and which origin is ours,
    // say `Host` alone.
    delete request.raw.headers['x-forwarded-host']
    setEveryHeader(reply)
    const url = request.raw.url as string
    const fault = framingFault(request.raw)
    if (fault !== null) done(new HttpRefusal(fault))
    else if (raw.socket === null && this.queue(raw, request.raw.socket) > WAITING_MAX) {
      this.overflown.add(request.raw.socket)
      reply.header('connection', 'close')
      done(new HttpRefusal(TOO_MANY_WAITING))
    } else if (url.length > URL_CHARACTERS_MAX) done(new HttpRefusal(URL_TOO_LONG))
    else if (url.length > QUERY_FIELDS_MAX && fieldsIn(url) > QUERY_FIELDS_MAX) done(new HttpRefusal(TOO_MANY_FIELDS))
    else if (this.isStopping && !PROBES.has(url)) {
      reply.header('connection', 'close')
      done(new HttpRefusal(STOPPING))
    } else if (raw.socket === null) {
      // One at a time: all that one packet has room for would otherwise run before anything else is looked at.
      raw.once('socket', () => setImmediate(done))
    } else done()
  }

  /** Takes over a server's requests: those behind the last one that a connection gets an answer to are not looked at. */
  guard(server: Server): void {
    const serving = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('request', (request, response) => {
      if (!this.overflown.has(request.socket)) for (const serve of serving) serve.call(server, request, response)
    })
  }

  private queue(raw: Tracked, socket: Socket): number {
    const count = (this.waiting.get(socket) ?? 0) + 1
    this.waiting.set(socket, count)
    raw.waitsOn = socket
    return count
  }

  /** Resolves once nothing runs any more, or after `timeoutMs`; whether all was finished. */
  async drained(timeoutMs: number): Promise<boolean> {
    if (this.inFlight === 0) return true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)))
    const empty = new Promise<boolean>((resolve) => this.waiters.push(() => resolve(true)))
    const isEmpty = await Promise.race([empty, late])
    clearTimeout(timer)
    return isEmpty
  }

  /** Listener of `close`; finds itself through the property, because `this` is the response there. */
  private readonly leave = this.leaver()

  private leaver(): (this: ServerResponse) => void {
    // oxlint-disable-next-line typescript/no-this-alias
    const traffic = this
    return function (this: Tracked) {
      traffic.inFlight--
      const { waitsOn } = this
      if (waitsOn !== undefined) traffic.waiting.set(waitsOn, traffic.waiting.get(waitsOn)! - 1)
      const { trackedAtMs, trackedRoute } = this
      if (trackedAtMs !== undefined && traffic.observe !== null) {
        const status = this.writableFinished ? this.statusCode : 499
        traffic.observe(this.req.method as string, trackedRoute as string, status, performance.now() - trackedAtMs)
      }
      if (traffic.inFlight === 0) for (const wake of traffic.waiters.splice(0)) wake()
    }
  }
}

/**
 * Stops gracefully: new requests get 503 with Retry-After and `Connection: close`, running ones are finished,
 * then the app closes. What still runs after `withinMs` is cut off.
 */
export async function stopGracefully(app: HttpApp, withinMs = 10_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs
  app.traffic.isStopping = true
  await app.traffic.drained(withinMs * 0.9)
  const cut = setTimeout(() => app.server.closeAllConnections(), Math.max(0, deadlineMs - performance.now()))
  app.server.closeIdleConnections()
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
  }
}

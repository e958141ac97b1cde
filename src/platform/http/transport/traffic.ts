import type { RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as setTimeoutAsync } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, onRequestHookHandler, onSendHookHandler } from 'fastify'
import { workFor } from '../../hidden-parameters.ts'
import type { Attributes, Span, Tracing } from '../../telemetry/tracing.ts'
import { WorkRecord } from '../../telemetry/work-record.ts'
import { HttpRefusal, STOPPING, TOO_MANY_FIELDS, TOO_MANY_WAITING, URL_TOO_LONG } from '../errors.ts'
import { framingFault } from './framing.ts'
import type { LogAnswer } from '../request-log.ts'
import type { TenantLoad } from '../../usage/tenant-work.ts'
import type { HttpApp } from '../route.ts'

const URL_CHARACTERS_MAX = 8_192
/**
 * Most fields of a query, more than twice what any route takes. Every field costs time in each search for another
 * field.
 */
const QUERY_FIELDS_MAX = 256
/** Requests of one connection that may wait behind the current one. One packet could carry hundreds. */
const WAITING_MAX = 32

/** Paths that are answered even while the service stops. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics'])

/** Called when an answer ends, with the route's pattern (empty when no route matched), the status and the duration. */
export type Observe = (method: string, route: string, status: number, durationMs: number) => void

/** Receives what a tenant's request took, when its answer ends. */
export type NoteWork = (tenantId: string, load: TenantLoad) => void

declare module 'fastify' {
  interface FastifyRequest {
    /** The tenant of the request, and what it spends its time on. Set by the first hook of every request. */
    record: WorkRecord
  }
}

interface Tracked extends ServerResponse {
  tracked?: FastifyRequest
  /** The connection on which this answer waits behind another one; absent otherwise. */
  waitsOn?: Socket
}

/**
 * HTTP Strict Transport Security (RFC 6797) for a year, for this host alone: neighbouring hosts may have other services,
 * with no TLS.
 */
const STRICT_TRANSPORT = 'max-age=31536000'

/** Sets the headers that every answer has. Browsers ignore that of HTTPS where it does not come over TLS. */
export function setEveryHeader(reply: FastifyReply): void {
  if (reply.server.isPublicOverTls) reply.header('strict-transport-security', STRICT_TRANSPORT)
  reply.header('x-request-id', reply.request.id)
  reply.header('x-content-type-options', 'nosniff')
  reply.header('cache-control', 'no-store')
  reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
  reply.header('referrer-policy', 'no-referrer')
}

/** Counts the fields of a query. Empty fields count too, because parsers have to skip them. */
function fieldsIn(url: string): number {
  let count = 1
  for (let at = url.indexOf('&'); at >= 0; at = url.indexOf('&', at + 1)) count++
  return count
}

/** Counts running requests, and refuses new ones while the service stops. */
export class Traffic {
  inFlight = 0
  /** Whether each answer closes its connection, so that clients turn to another process. Requests are still served. */
  isLeaving = false
  /**
   * Whether answers close their connections because another process takes over the same port. Then `/readyz` stays as
   * it is.
   */
  isHandingOver = false
  isStopping = false
  private readonly observe: Observe | null
  private readonly logAnswer: LogAnswer
  private readonly tracing: Tracing | null
  private readonly endingSoon = new AbortController()
  private waiters: (() => void)[] = []
  /** Requests that wait until the function returned by `hold` is called; null while requests go on at once. */
  private backlog: (() => void)[] | null = null
  /** Open connections that have had no request yet. */
  private readonly fresh = new Set<Socket>()
  /** Number of requests that wait on each connection. */
  private readonly waiting = new WeakMap<Socket, number>()
  /** Connections with too many waiting requests. They close after the refusal of the first such request. */
  private readonly overflown = new WeakSet<Socket>()
  private readonly noteWork: NoteWork | null
  private readonly stopReading: (socket: Socket) => void
  /** Bytes that went over each connection, both ways, up to its last answer. */
  private readonly transferred = new WeakMap<Socket, number>()

  constructor(
    observe: Observe | null,
    logAnswer: LogAnswer,
    tracing: Tracing | null = null,
    noteWork: NoteWork | null = null,
    stopReading: (socket: Socket) => void = () => undefined,
  ) {
    this.observe = observe
    this.logAnswer = logAnswer
    this.tracing = tracing
    this.noteWork = noteWork
    this.stopReading = stopReading
  }

  /** Signal that aborts when streams have to end at their next border, shortly before requests are cut off. */
  get stopSignal(): AbortSignal {
    return this.endingSoon.signal
  }

  endStreams(): void {
    this.endingSoon.abort()
  }

  /**
   * Counts a request and refuses one that no route should see. The first hook of every request. Only the event `close`
   * is certain to come, even when the client goes away, so it ends the count.
   */
  readonly enter: onRequestHookHandler = (request, reply, done) => {
    const raw = reply.raw as Tracked
    const record = new WorkRecord(this.tracing === null ? null : requestSpan(this.tracing, request))
    request.record = record
    raw.tracked = request
    raw.on('close', this.leave)
    this.inFlight++
    // Most proxies pass this header on as the client sent it. Only `Host` may decide the tenant and our origin.
    delete request.raw.headers['x-forwarded-host']
    setEveryHeader(reply)
    const url = request.raw.url as string
    const fault = framingFault(request.raw)
    if (fault !== null) done(new HttpRefusal(fault))
    else if (raw.socket === null && this.queue(raw, request.raw.socket) > WAITING_MAX) {
      this.overflown.add(request.raw.socket)
      this.stopReading(request.raw.socket)
      reply.header('connection', 'close')
      done(new HttpRefusal(TOO_MANY_WAITING))
    } else if (url.length > URL_CHARACTERS_MAX) done(new HttpRefusal(URL_TOO_LONG))
    else if (url.length > QUERY_FIELDS_MAX && fieldsIn(url) > QUERY_FIELDS_MAX) done(new HttpRefusal(TOO_MANY_FIELDS))
    else if (this.isStopping && !PROBES.has(url)) done(new HttpRefusal(STOPPING))
    else if (raw.socket === null) {
      // One at a time: otherwise all requests of one packet would run before anything else.
      raw.once('socket', () => setImmediate(() => workFor('', done, record)))
    } else workFor('', done, record)
  }

  /**
   * Notes when an answer was ready; how long the answer then takes depends on its reader. While the service leaves, an
   * answer closes its connection, also when the request came before.
   */
  readonly noteAnswer: onSendHookHandler = (request, reply, _payload, done) => {
    request.record.answeredAtMs = performance.now()
    if (this.isLeaving || this.isHandingOver) reply.header('connection', 'close')
    done()
  }

  /** Takes over a server's requests. Requests behind the last one that gets an answer are ignored. */
  guard(server: Server): void {
    const serving = server.listeners('request') as RequestListener[]
    server.removeAllListeners('request')
    server.on('connection', (socket: Socket) => {
      this.fresh.add(socket)
      socket.once('close', () => this.fresh.delete(socket))
    })
    server.on('request', (request, response) => {
      this.fresh.delete(request.socket)
      const pass = (): void => {
        // A client that left while its request was held has no answer to wait for.
        if (request.socket.destroyed || this.overflown.has(request.socket)) return
        for (const serve of serving) serve.call(server, request, response)
      }
      if (this.backlog === null) pass()
      else this.backlog.push(pass)
    })
  }

  /** Whether an open connection may still bring its first request. */
  get awaitsFirstRequest(): boolean {
    return this.fresh.size > 0
  }

  /** Makes new requests wait. Returns a function that lets them go on. */
  hold(): () => void {
    const backlog: (() => void)[] = []
    this.backlog = backlog
    return () => {
      this.backlog = null
      for (const pass of backlog) pass()
    }
  }

  private queue(raw: Tracked, socket: Socket): number {
    const count = (this.waiting.get(socket) ?? 0) + 1
    this.waiting.set(socket, count)
    raw.waitsOn = socket
    return count
  }

  /**
   * Resolves when no request runs any more, or after `timeoutMs`.
   * @returns whether all requests finished
   */
  async drained(timeoutMs: number): Promise<boolean> {
    if (this.inFlight === 0) return true
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)))
    const empty = new Promise<boolean>((resolve) => this.waiters.push(() => resolve(true)))
    const isEmpty = await Promise.race([empty, late])
    clearTimeout(timer)
    return isEmpty
  }

  /** Counts a request for its tenant, if it has one. What a connection carried since its last answer is its share. */
  private count({ record, raw: { socket } }: FastifyRequest, durationMs: number): void {
    if (this.noteWork === null) return
    const bytes = socket.bytesRead + socket.bytesWritten
    const transferred = bytes - (this.transferred.get(socket) ?? 0)
    this.transferred.set(socket, bytes)
    if (record.tenantId === null) return
    this.noteWork(record.tenantId, { requests: 1, workMs: record.workMs(durationMs), transferred })
  }

  /** Listener of a response's `close`. It finds this object through a closure, because `this` is the response. */
  private readonly leave = this.leaver()

  private leaver(): (this: ServerResponse) => void {
    // oxlint-disable-next-line typescript/no-this-alias
    const traffic = this
    return function (this: Tracked) {
      traffic.inFlight--
      const { waitsOn } = this
      if (waitsOn !== undefined) traffic.waiting.set(waitsOn, traffic.waiting.get(waitsOn)! - 1)
      const { tracked } = this
      if (tracked !== undefined) {
        const status = this.writableFinished ? this.statusCode : 499
        const durationMs = performance.now() - tracked.record.startedAtMs
        traffic.observe?.(tracked.method, tracked.routeOptions.url ?? '', status, durationMs)
        traffic.logAnswer(tracked, status, durationMs)
        traffic.count(tracked, durationMs)
        endSpan(tracked, status)
      }
      if (traffic.inFlight === 0) for (const wake of traffic.waiters.splice(0)) wake()
    }
  }
}

/** Returns the span of a request; none for a probe, which comes every few seconds. */
function requestSpan(tracing: Tracing, { method, headers, routeOptions: { url } }: FastifyRequest): Span | null {
  if (url !== undefined && PROBES.has(url)) return null
  const attributes: Attributes = { 'http.request.method': method }
  if (url === undefined) return tracing.begin(method, 'server', attributes, headers)
  return tracing.begin(`${method} ${url}`, 'server', { ...attributes, 'http.route': url }, headers)
}

function endSpan({ id, record }: FastifyRequest, status: number): void {
  const { tenantId, credentialId } = record
  record.end(status >= 500, {
    'http.response.status_code': status,
    'knowledge.request.id': id,
    ...(tenantId === null ? {} : { 'knowledge.tenant.id': tenantId }),
    ...(credentialId === null ? {} : { 'knowledge.credential.id': credentialId }),
  })
}

/** Share of the time to stop after which streams end at their next border. */
const STREAMS_SHARE = 0.6

/**
 * Milliseconds for requests on connections that were open when the port closed, and at most for the first requests of
 * new connections.
 */
const LAST_REQUESTS_MS = 250
const FIRST_REQUESTS_MS = 1_000
/** Milliseconds between two checks whether those first requests have come. */
const LOOK_MS = 10

/**
 * Milliseconds for which no connection must come before the port closes, and for which the service waits for such a
 * pause at most. Then it closes between two connections.
 */
const QUIET_MS = 20
const QUIET_WITHIN_MS = 250
/**
 * Milliseconds of a short turn of the event loop. In a longer one the process did some work, or the system interrupted
 * it.
 */
const SHORT_TURN_MS = 0.02
/** Milliseconds after which the port closes on a machine without short turns. */
const SHORT_TURN_WITHIN_MS = 300

/**
 * Says in `/readyz` that the service leaves, and closes connections after their answers, so that a load balancer sends
 * new requests elsewhere. Requests are served for `delayMs` more. Then the port closes: a proxy that does not look at
 * `/readyz` is refused before it has sent anything, and so can send any request to another process.
 */
export async function leave(app: HttpApp, delayMs: number): Promise<void> {
  app.traffic.isLeaving = true
  if (delayMs === 0) return
  await setTimeoutAsync(delayMs)
  // A client that waits for an answer opens no new connection.
  const release = app.traffic.hold()
  await closeBetweenConnections(app)
  release()
  await lastRequests(app, LAST_REQUESTS_MS)
}

/**
 * Leaves the port to other processes that share it, at once. Requests on connections that are open are served for
 * `delayMs` more, and each answer closes its connection.
 */
export async function handOver(app: HttpApp, delayMs: number): Promise<void> {
  app.traffic.isHandingOver = true
  closePort(app)
  await lastRequests(app, Math.max(delayMs, LAST_REQUESTS_MS))
}

/**
 * Waits until the last requests have come. On a busy machine, a client may take a while between connecting and sending.
 */
async function lastRequests({ traffic }: HttpApp, leastMs: number): Promise<void> {
  await setTimeoutAsync(leastMs)
  const endMs = performance.now() + FIRST_REQUESTS_MS
  while (traffic.awaitsFirstRequest && performance.now() < endMs) await setTimeoutAsync(LOOK_MS)
}

/**
 * Closes the port right after a short turn of the event loop in which no connection came. The system resets connections
 * that still wait when a port closes, and a proxy cannot know whether their requests were served. A turn takes at most
 * one connection. A connection that comes between the last check and the closing is reset.
 */
async function closeBetweenConnections(app: HttpApp): Promise<void> {
  let takenMs = performance.now()
  const take = (): void => void (takenMs = performance.now())
  app.server.on('connection', take)
  const beginMs = takenMs
  for (let turnMs = beginMs; ;) {
    await new Promise((resolve) => setImmediate(resolve))
    const nowMs = performance.now()
    const isQuiet = nowMs - takenMs > QUIET_MS || nowMs - beginMs > QUIET_WITHIN_MS
    if (isQuiet && nowMs - turnMs < SHORT_TURN_MS && takenMs < turnMs) break
    if (nowMs - beginMs > SHORT_TURN_WITHIN_MS) break
    turnMs = nowMs
  }
  // Nothing may run between the check and this step, because a connection could come meanwhile.
  closePort(app)
  app.server.off('connection', take)
}

/** Closes the port only. `http.Server` would also end connections whose first request is still under way. */
function closePort(app: HttpApp): void {
  NetServer.prototype.close.call(app.server)
}

/**
 * Stops gracefully. New requests get 503 with Retry-After and `Connection: close`; running requests finish, and streams
 * end early at a border and say so; then the app closes. After `withinMs`, requests that still run are cut off.
 */
export async function stopGracefully(app: HttpApp, withinMs = 10_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs
  app.traffic.isLeaving = true
  app.traffic.isStopping = true
  const streams = setTimeout(() => app.traffic.endStreams(), withinMs * STREAMS_SHARE)
  await app.traffic.drained(withinMs * 0.9)
  clearTimeout(streams)
  const cut = setTimeout(() => app.server.closeAllConnections(), Math.max(0, deadlineMs - performance.now()))
  app.server.closeIdleConnections()
  try {
    await app.close()
  } finally {
    clearTimeout(cut)
  }
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { errorBody, STARTING } from './errors.ts'
import { HEALTHY } from './health.ts'
import { MetricsPage, type PublishedMetrics } from './metrics-page.ts'
import type { Missing } from './readiness.ts'

/** Time in which a probe must have sent its request. */
const REQUEST_TIMEOUT_MS = 10_000
/** Most connections at a time: more would take descriptors from the port of the service. */
const CONNECTIONS_MAX = 64
const JSON_TYPE = 'application/json; charset=utf-8'
const NOT_FOUND = { loc: ['path'], msg: 'Only /healthz, /readyz and /metrics are answered here', type: 'not_found' }
const NO_TOKEN = { loc: ['header', 'authorization'], msg: 'Send METRICS_TOKEN as bearer token', type: 'unauthorized' }

/**
 * A port of its own for probes and metrics. It is open from the start of a process to its end, while the port of the
 * service opens only once the process is ready: a proxy that finds that port closed has sent nothing yet, and can send
 * any request elsewhere.
 */
export class ProbePort {
  readonly #place: { readonly port: number; readonly host: string }
  readonly #metrics: MetricsPage
  #missing: Missing = () => Promise.resolve(['database'])
  #server: Server | null = null

  constructor(place: { readonly port: number; readonly host: string }, metrics: PublishedMetrics) {
    this.#place = place
    this.#metrics = new MetricsPage(metrics)
  }

  /** Sets what `/readyz` lists; before that it lists the database, for which a start waits first. */
  watch(missing: Missing): void {
    this.#missing = missing
  }

  /** Opens the port, unless it is open. @throws the system's error when the address is taken */
  async open(): Promise<void> {
    if (this.#server !== null) return
    const server = createServer(
      {
        headersTimeout: REQUEST_TIMEOUT_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: REQUEST_TIMEOUT_MS / 4,
      },
      (request, response) => void this.#answer(request, response),
    )
    server.maxConnections = CONNECTIONS_MAX
    this.#server = server
    server.listen(this.#place)
    await once(server, 'listening')
  }

  /** Closes the port and its connections. It may be called again. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null || !server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0]
    if (path === '/healthz') send(response, 200, JSON.stringify(HEALTHY))
    else if (path === '/readyz') {
      const missing = await this.#missing().catch(() => ['readiness check failed'])
      const status = missing.length === 0 ? 'ready' : 'not_ready'
      send(response, missing.length === 0 ? 200 : 503, JSON.stringify({ status, missing }))
    } else if (path !== '/metrics') send(response, 404, errorBody([NOT_FOUND]))
    else if (!this.#metrics.mayRead(request.headers.authorization)) {
      response.setHeader('www-authenticate', 'Bearer')
      send(response, 401, errorBody([NO_TOKEN]))
    } else await this.#sendMetrics(request, response)
  }

  async #sendMetrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { body, headers } = await this.#metrics.read(request.headers['accept-encoding'])
      response.setHeaders(new Map(Object.entries(headers)))
      send(response, 200, body, this.#metrics.contentType)
    } catch {
      send(response, STARTING.status, errorBody([STARTING.detail]))
    }
  }
}

/** Answers and closes the connection: of several processes that share the port, the next probe reaches another one. */
function send(response: ServerResponse, status: number, body: string | Buffer, type = JSON_TYPE): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
    ...(status === 503 ? { 'retry-after': '1' } : {}),
  })
  response.end(body)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Pool, request } from 'undici'

const PROBE_EVERY_MS = 250
const PROBE_WITHIN_MS = 2_000
const CONNECTIONS = 64
const RETRY_MS = 50
/**
 * Milliseconds that the balancer waits for an answer, like nginx by default. Most requests that a fault holds up wait,
 * rather than fail.
 */
export const PATIENCE_MS = 60_000

/** Codes of a refused connection, after which no process has read the request. */
const UNSENT = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])

export interface SoakRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether it does no harm to send the request twice, even when the first one runs late: reads and searches. */
  readonly isRepeatable: boolean
  /** Signal by which the client hangs up. */
  readonly signal?: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly text: string
  /** The header `Link`, which names the next page of a list. */
  readonly link: string | null
}

/** Error of a request without a usable answer; the message says why, in the same words for all of a kind. */
export class Failed extends Error {}

/** Error of a request whose client did not wait for the answer. */
export class HungUp extends Error {}

/**
 * Shares requests between processes that say they are ready, and repeats only safe ones: a request that no process has
 * read, one that was refused with 503 (which says that nothing was changed), and a read. A write whose connection
 * breaks has failed. Even a write that would store the same twice is not sent to another process, since a process that
 * was only suspended may carry it out later, over a newer write.
 */
export class Balancer {
  readonly #backends: readonly Backend[]
  #turn = 0

  constructor(urls: readonly string[]) {
    this.#backends = urls.map((url) => new Backend(url))
  }

  /** Directs requests to a process that has started again, at another address. */
  move(index: number, url: string): void {
    this.#backends[index].move(url)
  }

  /** Tells whether the process said at the last check that it is ready. */
  isReady(index: number): boolean {
    return this.#backends[index].state === 'ready'
  }

  /** Sends a request to a process. Rejects with `Failed` or `HungUp`. */
  async send(outgoing: SoakRequest): Promise<Reply> {
    const untilMs = performance.now() + PATIENCE_MS
    let tried: Backend | null = null
    let why = 'no answer'
    for (;;) {
      const leftMs = untilMs - performance.now()
      if (leftMs <= 0) throw new Failed(`${why} for ${PATIENCE_MS / 1_000} s`)
      const backend = this.#choose(tried)
      tried = backend
      let waitMs = RETRY_MS
      try {
        const { retryAfterMs, ...reply } = await backend.send(outgoing, Math.ceil(leftMs))
        if (reply.status !== 503) return reply
        why = 'answered 503'
        waitMs = retryAfterMs ?? RETRY_MS
      } catch (error) {
        if (outgoing.signal?.aborted === true) throw new HungUp()
        if (performance.now() >= untilMs) continue
        const isUnsent = UNSENT.has((error as { code?: string }).code ?? '')
        if (!isUnsent && !outgoing.isRepeatable) throw new Failed('connection broken', { cause: error })
        why = isUnsent ? 'connection refused' : 'connection broken'
      }
      await sleep(Math.min(waitMs, Math.max(0, untilMs - performance.now())))
    }
  }

  async close(): Promise<void> {
    for (const backend of this.#backends) await backend.close()
  }

  /** Chooses a process in turns: a ready one, if possible another than before; else one that at least answers. */
  #choose(before: Backend | null): Backend {
    const turned = this.#backends.map((_, i) => this.#backends[(this.#turn + i) % this.#backends.length])
    this.#turn++
    const ready = turned.filter(({ state }) => state === 'ready')
    return (
      ready.find((each) => each !== before) ?? ready[0] ?? turned.find(({ state }) => state === 'busy') ?? turned[0]
    )
  }
}

/** A process and its state by the balancer's checks. */
class Backend {
  #url: string
  #pool: Pool
  #silence = new AbortController()
  readonly #probing: NodeJS.Timeout
  #isProbed = false
  /** State of the process. A busy one answers, but not that it is ready. */
  state: 'ready' | 'busy' | 'silent' = 'ready'

  constructor(url: string) {
    this.#url = url
    this.#pool = poolOf(url)
    this.#probing = setInterval(() => void this.#probe(), PROBE_EVERY_MS)
  }

  move(url: string): void {
    void this.#pool.destroy().catch(() => undefined)
    this.#url = url
    this.#pool = poolOf(url)
    this.state = 'ready'
  }

  async send({ method, path, headers, body, isRepeatable, signal }: SoakRequest, withinMs: number) {
    const signals = [AbortSignal.timeout(withinMs)]
    // A read goes elsewhere when its process falls silent; a write waits for its answer.
    if (isRepeatable) signals.push(this.#silence.signal)
    if (signal !== undefined) signals.push(signal)
    const answer = await this.#pool.request({
      method,
      path,
      headers,
      body,
      signal: AbortSignal.any(signals),
    })
    const text = await answer.body.text()
    const { 'retry-after': retryAfter, link } = answer.headers
    return {
      status: answer.statusCode,
      text,
      link: link === undefined ? null : String(link),
      retryAfterMs: retryAfter === undefined ? null : Number(retryAfter) * 1_000,
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#probing)
    await this.#pool.destroy()
  }

  async #probe(): Promise<void> {
    if (this.#isProbed) return
    this.#isProbed = true
    const url = this.#url
    try {
      const { statusCode, body } = await request(`${url}/readyz`, { signal: AbortSignal.timeout(PROBE_WITHIN_MS) })
      await body.dump()
      if (url === this.#url) this.state = statusCode === 200 ? 'ready' : 'busy'
    } catch {
      if (url === this.#url) {
        this.state = 'silent'
        this.#silence.abort()
        this.#silence = new AbortController()
      }
    } finally {
      this.#isProbed = false
    }
  }
}

function poolOf(url: string): Pool {
  return new Pool(url, { connections: CONNECTIONS, headersTimeout: 0, bodyTimeout: 0 })
}

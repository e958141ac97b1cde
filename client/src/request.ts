/** One faulty place of a request, as the service names it. */
export interface Fault {
  readonly loc: readonly string[]
  readonly msg: string
  readonly type: string
}

/** A refusal of the service. */
export class KnowledgeError extends Error {
  override readonly name = 'KnowledgeError'
  readonly status: number
  readonly detail: readonly Fault[]
  /** Milliseconds after which another try is worth it; null when the service did not say. */
  readonly retryAfterMs: number | null

  constructor(status: number, detail: readonly Fault[], retryAfterMs: number | null) {
    super(detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ') || `The service answered ${status}`)
    this.status = status
    this.detail = detail
    this.retryAfterMs = retryAfterMs
  }
}

export interface Connection {
  /** Address of the service, without a path. */
  readonly url: string
  readonly key: string
  readonly fetch: typeof globalThis.fetch
  /** Milliseconds for one try. */
  readonly timeoutMs: number
  /** Further tries after the first one. */
  readonly retries: number
}

export interface Sent {
  readonly method?: 'GET' | 'POST'
  readonly query?: object
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Whether the request outlives the page that sent it. It is then tried once. */
  readonly keepalive?: boolean
  readonly retries?: number
  /**
   * Whether a publishable key goes into the address, where the route takes it. It saves a browser the preflight of each
   * new address.
   */
  readonly isKeyInAddress?: boolean
}

const WORTH_RETRYING = new Set([429, 502, 503, 504])
const FIRST_WAIT_MS = 250
/** Longest wait before another try: visitors leave a page that waits longer. The error tells the wait that was due. */
const WAIT_MAX_MS = 10_000

/**
 * Sends a request, again while the service is busy or the network away.
 * @throws KnowledgeError when the service refuses, TypeError when it cannot be reached, the signal's reason
 */
export async function send(connection: Connection, path: string, sent: Sent = {}): Promise<Response> {
  const retries = sent.keepalive === true ? 0 : (sent.retries ?? connection.retries)
  for (let tries = 0; ; tries++) {
    let waitMs: number
    try {
      const response = await once(connection, path, sent)
      if (response.ok) return response
      const error = await errorOf(response)
      waitMs = error.retryAfterMs ?? backoffMs(tries)
      if (tries >= retries || !WORTH_RETRYING.has(error.status) || waitMs > WAIT_MAX_MS) throw error
    } catch (error) {
      sent.signal?.throwIfAborted()
      if (error instanceof KnowledgeError || tries >= retries) throw error
      waitMs = backoffMs(tries)
    }
    sent.signal?.throwIfAborted()
    await pause(waitMs, sent.signal)
  }
}

/** Full jitter, so that pages that failed together do not come back together. */
function backoffMs(tries: number): number {
  return Math.random() * FIRST_WAIT_MS * 2 ** tries
}

async function once({ url, key, fetch, timeoutMs }: Connection, path: string, sent: Sent): Promise<Response> {
  const { method = 'GET', query = {}, body, headers = {}, signal, keepalive = false } = sent
  const isKeyInAddress = sent.isKeyInAddress === true && key.startsWith('pk_')
  const address = new URL(path, url)
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat())
      if (one !== undefined && one !== null) address.searchParams.append(name, String(one))
  }
  if (isKeyInAddress) address.searchParams.append('publishable_key', key)
  const timeout = AbortSignal.timeout(timeoutMs)
  return fetch(address, {
    method,
    headers: {
      ...(isKeyInAddress ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    keepalive,
    credentials: 'omit',
  })
}

async function errorOf(response: Response): Promise<KnowledgeError> {
  const body = (await response.json().catch(() => null)) as { detail?: readonly Fault[] } | null
  const detail = Array.isArray(body?.detail) ? body.detail : []
  return new KnowledgeError(response.status, detail, retryAfterMs(response.headers.get('retry-after')))
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

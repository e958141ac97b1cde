import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { EmbeddingStatus } from '../../src/embedding/contract.ts'

/** The bulk route's answer for one line. */
interface BulkLineResult {
  readonly line: number
  readonly status: string
  readonly id?: string
}

const BASE = '/api/knowledge'
const PATIENCE_MS = 30 * 60_000
/**
 * Milliseconds between two checks. Checks are rare, because each counts rows on the thread that also answers the
 * measured reads.
 */
const POLL_MS = 2_000
const RETRY_MS = 50
const STANDSTILL_MS = 60_000

/** Calls the service's HTTP API over kept-alive connections. */
export class ApiClient {
  readonly #pool: Pool
  readonly #headers: Record<string, string>

  constructor(url: string, key: string, connections = 4) {
    this.#pool = new Pool(url, { connections, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
    this.#headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  }

  /**
   * Calls the service, and tries again while it is not available, as while it builds an index.
   * @throws Error with the answer if it is not a success
   */
  async call<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
    const request = { method, path: BASE + path, headers: this.#headers }
    const sent = body === undefined ? null : JSON.stringify(body)
    let answer = await this.#pool.request({ ...request, body: sent })
    let text = await answer.body.text()
    for (const began = performance.now(); answer.statusCode === 503 && performance.now() - began < PATIENCE_MS;) {
      await sleep(RETRY_MS)
      answer = await this.#pool.request({ ...request, body: sent })
      text = await answer.body.text()
    }
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`)
    return JSON.parse(text) as T
  }

  async category(name: string): Promise<string> {
    return (await this.call<{ id: string }>('POST', '/categories', { name })).id
  }

  /**
   * Sends entries through the bulk route.
   * @returns their ids, in order
   * @throws Error naming the first line that failed
   */
  importEntries(entries: readonly object[]): Promise<string[]> {
    return this.#bulk('/knowledge-entries/bulk', entries)
  }

  /** Sends products of a site through the bulk route, like `importEntries`. */
  importProducts(site: string, products: readonly object[]): Promise<string[]> {
    return this.#bulk(`/products/bulk?site_id=${encodeURIComponent(site)}`, products)
  }

  /**
   * Waits until all imported entries have their vectors, and until those that wait to be read were read.
   * @throws Error when an entry cannot be embedded, or when none is for a minute
   */
  async embedded(): Promise<void> {
    let moved = { embedded: -1, pending: -1, at: 0 }
    for (;;) {
      const status = await this.call<EmbeddingStatus>('GET', '/embedding-status')
      if (status.failing > 0) throw new Error(`Embedding fails: ${status.last_error}`)
      if (status.pending === 0 && status.embedded === status.items) return
      const { embedded, pending } = status
      if (embedded !== moved.embedded || pending !== moved.pending) moved = { embedded, pending, at: performance.now() }
      else if (performance.now() - moved.at > STANDSTILL_MS)
        throw new Error(`Embedding stands still: ${JSON.stringify(status)}`)
      await sleep(POLL_MS)
    }
  }

  async #bulk(path: string, lines: readonly object[]): Promise<string[]> {
    const answer = await this.#pool.request({
      method: 'POST',
      path: BASE + path,
      headers: { ...this.#headers, 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`The import answered ${answer.statusCode}: ${text}`)
    const results = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as BulkLineResult)
    const failed = results.find((result) => result.id === undefined)
    if (failed !== undefined) throw new Error(`The import failed: ${JSON.stringify(failed)}`)
    return results.map((result) => result.id!)
  }

  close(): Promise<void> {
    return this.#pool.close()
  }
}

import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { ndjsonLines } from '../../src/platform/lines/ndjson.ts'
import { send } from '../support/send.ts'
import type { Answer } from '../support/service.ts'

const LINE_BYTES_MAX = 100_000
const PATIENCE_MS = 60_000
const RETRY_MS = 500
/** Statuses by which the service says that it cannot write now. */
const UNAVAILABLE = new Set([503, 507])

/** Error after which the client does not know whether its write was stored. */
export class Unanswered extends Error {}

/** Error of an answer by which the service says that it cannot write now. */
class Unavailable extends Unanswered {}

interface Sent {
  readonly body?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** A person of a tenant who calls one service, and may hang up. */
export class Client {
  readonly tenant: string
  readonly category: string
  readonly #key: string
  /** Address of the service, which changes when the service starts again. */
  url = ''
  /** Returns the signal that hangs up the next request; undefined when it is not hung up. */
  hangUp: () => AbortSignal | undefined = () => undefined
  /**
   * Whether the client repeats requests that get 503, as after a fault is over: a busy machine may need longer than a
   * request waits.
   */
  isPatient = false

  /**
   * Makes a client.
   * @param category id of the category of its entries
   */
  constructor(tenant: string, key: string, category: string) {
    this.tenant = tenant
    this.#key = key
    this.category = category
  }

  /** Sends a request whose answer must have one of the statuses. Rejects with `Unanswered` when there is none. */
  async call(method: string, path: string, statuses: readonly number[], sent: Sent = {}): Promise<Answer> {
    for (const untilMs = performance.now() + PATIENCE_MS; ;) {
      try {
        return await this.#once(method, path, statuses, sent)
      } catch (error) {
        if (!(error instanceof Unavailable && this.isPatient) || performance.now() > untilMs) throw error
        await sleep(RETRY_MS)
      }
    }
  }

  async #once(method: string, path: string, statuses: readonly number[], sent: Sent): Promise<Answer> {
    const { body, form, headers } = sent
    const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
    const text = form === undefined ? JSON.stringify(body) : new URLSearchParams(form).toString()
    const authorization = `Bearer ${this.#key}`
    const reply = await send(this.url + path, {
      method,
      headers: { authorization, ...(text === undefined ? {} : { 'content-type': type }), ...headers },
      body: text,
      signal: this.hangUp(),
    }).catch((error: unknown) => {
      throw new Unanswered(path, { cause: error })
    })
    if (UNAVAILABLE.has(reply.status)) throw new Unavailable(`${path}: ${reply.status} ${reply.text}`)
    assert.ok(statuses.includes(reply.status), `${method} ${path}: ${reply.status} ${reply.text}`)
    return { status: reply.status, headers: reply.headers, body: reply.text === '' ? null : JSON.parse(reply.text) }
  }

  /** Returns every page of a list. */
  async all<T>(path: string): Promise<T[]> {
    const items: T[] = []
    for (let next: string | undefined = path; next !== undefined;) {
      const { body, headers } = await this.call('GET', next, [200])
      items.push(...(body as T[]))
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      if (next?.startsWith('http')) next = next.slice(new URL(next).origin.length)
    }
    return items
  }

  /** Sends lines and passes on each line of the answer as it arrives. */
  async lines(path: string, lines: readonly object[], onLine: (line: Record<string, unknown>) => void): Promise<void> {
    try {
      const response = await fetch(this.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/x-ndjson' },
        body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        signal: this.hangUp(),
      })
      if (UNAVAILABLE.has(response.status)) throw new Unanswered(path)
      assert.equal(response.status, 200, path)
      for await (const { value } of ndjsonLines(response.body!, LINE_BYTES_MAX))
        onLine(value as Record<string, unknown>)
    } catch (error) {
      if (error instanceof assert.AssertionError || error instanceof Unanswered) throw error
      throw new Unanswered(path, { cause: error })
    }
  }
}

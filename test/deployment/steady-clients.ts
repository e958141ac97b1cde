import type { LookupFunction } from 'node:net'
import { Agent, type RequestInit as Init } from 'undici'

const ENTRIES = '/api/knowledge/knowledge-entries'

/** Clients that keep connections to a proxy on this machine, by any host name. */
export function proxyAgent({
  ca,
  localAddress = '127.0.0.1',
  connections,
  allowH2 = true,
}: {
  /** The certificate that the proxy has. */
  readonly ca: Buffer
  /** Address of the client, which the proxy sees. */
  readonly localAddress?: string
  readonly connections?: number
  readonly allowH2?: boolean
}): Agent {
  const lookup: LookupFunction = (_host, { all }, callback) =>
    all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)
  return new Agent({ connections, localAddress, allowH2, connect: { ca, lookup } })
}

/** Returns a request with a JSON body. */
export const asJson = (body: object): Init => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})

/**
 * Sends one request of a client.
 * @param n number of the client, from 0
 */
type Ask = (n: number, path: string, init: Init) => Promise<{ readonly status: number; text(): Promise<string> }>

/** Clients that write, search and read, one request after the other, until they are stopped. */
export class SteadyClients {
  /** Outcome of each request that was not answered, or answered with an error. */
  readonly failures: string[] = []
  served = 0
  readonly #over = new AbortController()
  readonly #ended: Promise<unknown>

  /** @param categoryId of the entries that they write */
  constructor(count: number, categoryId: string, ask: Ask) {
    this.#ended = Promise.all(Array.from({ length: count }, (_, n) => this.#work(n, categoryId, ask)))
  }

  /** Lets every client finish its requests. */
  async stop(): Promise<void> {
    this.#over.abort()
    await this.#ended
  }

  async #work(n: number, categoryId: string, ask: Ask): Promise<void> {
    for (let i = 0; !this.#over.signal.aborted; i++) {
      const reference = `${n}.${i}`
      const entry = {
        title: `Lamp ${reference}`,
        content: 'Light',
        category_id: categoryId,
        source_reference: reference,
      }
      for (const [path, init] of [
        [ENTRIES, asJson(entry)],
        [`${ENTRIES}/search`, asJson({ query: 'lamp', mode: 'keyword', limit: 1 })],
        [`${ENTRIES}?limit=1`, {}],
      ] as const) {
        try {
          const answer = await ask(n, path, init)
          const text = await answer.text()
          if (answer.status >= 400) this.failures.push(`${path} ${answer.status} ${text}`)
          this.served++
        } catch (error) {
          this.failures.push(`${path} ${String((error as Error).cause ?? error)}`)
        }
      }
    }
  }
}

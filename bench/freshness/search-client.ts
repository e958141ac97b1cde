import { Pool } from 'undici'
import { behindOf, type Headers, now } from './searches.ts'

const PATIENCE_MS = 30 * 60_000

/** Answer of a search. */
export interface Answer<T> {
  readonly status: number
  readonly ms: number
  /** Documents that the index did not have yet, by the answer's header; null without the header. */
  readonly behind: number | null
  /** Body of a success; null for every other answer. */
  readonly value: T | null
}

/** Searches and writes over kept-alive connections, and reads the headers of the answers. */
export class SearchClient {
  readonly url: string
  readonly key: string
  readonly headers: Headers
  readonly #pool: Pool

  constructor(url: string, key: string) {
    this.url = url
    this.key = key
    this.headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    this.#pool = new Pool(url, { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
  }

  async search<T>(path: string, body: object, headers: Headers = {}): Promise<Answer<T>> {
    const began = now()
    const answer = await this.#post(path, body, headers)
    const text = await answer.body.text()
    return {
      status: answer.statusCode,
      ms: now() - began,
      behind: behindOf(answer.headers['x-search-behind']),
      value: answer.statusCode === 200 ? (JSON.parse(text) as T) : null,
    }
  }

  /**
   * Writes a document.
   * @returns the watermark of the answer; null where the answer has none
   * @throws Error when the answer is not a success
   */
  async write(path: string, body: object): Promise<string | null> {
    const answer = await this.#post(path, body, {})
    const text = await answer.body.text()
    if (answer.statusCode > 299) throw new Error(`The write answered ${answer.statusCode}: ${text}`)
    const watermark = answer.headers['x-watermark']
    return typeof watermark === 'string' ? watermark : null
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #post(path: string, body: object, headers: Headers): ReturnType<Pool['request']> {
    return this.#pool.request({
      method: 'POST',
      path,
      headers: { ...this.headers, ...headers },
      body: JSON.stringify(body),
    })
  }
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** The text of `/metrics`, and the token that its readers need. */
export interface PublishedMetrics {
  readonly contentType: string
  /** Returns the metrics in the text format of Prometheus. */
  readonly metrics: () => Promise<string>
  /** The bearer token that readers must send; null or absent where no token is needed. */
  readonly token?: string | null
}

const compressed = promisify(gzip)
/** The cheapest level: the names and labels of series repeat so much that others save little more. */
const GZIP = { level: 1 }
/** Matches gzip in Accept-Encoding (RFC 9110, section 12.5.3), unless its weight is 0. */
const GZIP_ACCEPTED = /^\s*gzip\s*(?:;\s*q=(?!0(?:\.0*)?\s*$)[\d.]+\s*)?$/i

/** Answers `/metrics`, on the port of the service and on one of its own. */
export class MetricsPage {
  readonly #published: PublishedMetrics
  /** The text that was compressed last. */
  #text = ''
  #bytes: Promise<Buffer> | null = null

  constructor(published: PublishedMetrics) {
    this.#published = published
  }

  get contentType(): string {
    return this.#published.contentType
  }

  /** Tells whether a request may read the metrics. @param authorization its header of that name */
  mayRead(authorization: string | undefined): boolean {
    const { token = null } = this.#published
    if (token === null) return true
    const [, sent] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
    return sent !== undefined && timingSafeEqual(hashOf(sent), hashOf(token))
  }

  /**
   * Returns the metrics, and the headers of their coding. A text is compressed once for all readers.
   * @param acceptEncoding the request's header of that name
   */
  async read(acceptEncoding: string | undefined) {
    const text = await this.#published.metrics()
    const isGzip = acceptEncoding?.split(',').some((range) => GZIP_ACCEPTED.test(range)) ?? false
    if (!isGzip) return { body: text, headers: { vary: 'Accept-Encoding' } }
    if (this.#bytes === null || this.#text !== text) {
      this.#text = text
      this.#bytes = compressed(text, GZIP)
    }
    return { body: await this.#bytes, headers: { vary: 'Accept-Encoding', 'content-encoding': 'gzip' } }
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

import type { Pause } from '../../threads/slices.ts'

/** What is let pass of a body that nobody reads any more; when it is longer, the connection is closed. */
const PASSED_BYTES_MAX = 256 * 1_024 * 1_024

/**
 * The body of a request that is answered while it comes in. Leaving a loop over the request itself would close the
 * connection and lose what was answered; a loop over this can be left.
 */
export class LeavableBody implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterator<Uint8Array>

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#chunks.next() }
  }

  /** Lets the rest pass unread: many a client reads its answer only once all is sent. */
  async letPass(pause: Pause): Promise<void> {
    for (let bytes = 0; bytes <= PASSED_BYTES_MAX;) {
      const next = await this.#chunks.next()
      if (next.done === true) return
      bytes += next.value.length
      await pause()
    }
    await this.#chunks.return?.()
  }
}

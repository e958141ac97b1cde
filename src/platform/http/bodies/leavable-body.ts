import type { Pause } from '../../threads/slices.ts'

/** Most unread bytes that are let through. A longer rest closes the connection. */
const PASSED_BYTES_MAX = 256 * 1_024 * 1_024

/**
 * The body of a request that is answered while the body still arrives. Leaving a loop over the request itself would
 * close the connection and lose the answer; a loop over this object can be left.
 */
export class LeavableBody implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterator<Uint8Array>

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#chunks.next() }
  }

  /** Discards the rest of the body, because many clients read the answer only after they have sent everything. */
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

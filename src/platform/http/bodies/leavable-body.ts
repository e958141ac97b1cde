import type { Pause } from '../../threads/slices.ts'

/** Most unread bytes that are discarded. A longer rest closes the connection. */
const DISCARDED_BYTES_MAX = 256 * 1_024 * 1_024

const END = { done: true, value: undefined } as const

/**
 * Iterates over the body of a request that is answered while the body still arrives. Leaving a loop over the request
 * itself would close the connection and lose the answer; a loop over this object can be left.
 */
export class LeavableBody implements AsyncIterable<Uint8Array> {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #stopSignal: AbortSignal

  /** @param stopSignal ends the body for its reader when it aborts, even while the sender pauses */
  constructor(body: AsyncIterable<Uint8Array>, stopSignal: AbortSignal) {
    this.#chunks = body[Symbol.asyncIterator]()
    this.#stopSignal = stopSignal
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next() }
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#stopSignal.aborted) return END
    const { promise: ended, resolve } = Promise.withResolvers<typeof END>()
    const end = (): void => resolve(END)
    this.#stopSignal.addEventListener('abort', end)
    try {
      return await Promise.race([this.#chunks.next(), ended])
    } finally {
      this.#stopSignal.removeEventListener('abort', end)
    }
  }

  /** Discards the rest of the body, because many clients read the answer only after they have sent everything. */
  async discardRest(pause: Pause): Promise<void> {
    for (let bytes = 0; bytes <= DISCARDED_BYTES_MAX;) {
      if (this.#stopSignal.aborted) return
      const next = await this.#chunks.next()
      if (next.done === true) return
      bytes += next.value.length
      await pause()
    }
    await this.#chunks.return?.()
  }
}

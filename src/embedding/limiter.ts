/** The call waited too long for its turn. */
export class NoTurn extends Error {
  override readonly name = 'NoTurn'
}

/** Lets at most `max` calls run at a time; the others wait in the order they came. */
export class Limiter {
  readonly #max: number
  readonly #waiting = new Set<() => void>()
  #running = 0

  constructor(max: number) {
    this.#max = max
  }

  /** @throws NoTurn when the turn has not come within `waitMs` (null waits on), or the signal's reason when it is aborted before */
  async run<T>(call: () => Promise<T>, waitMs: number | null, signal: AbortSignal | undefined): Promise<T> {
    if (this.#running >= this.#max) await this.#turn(waitMs, signal)
    else this.#running++
    try {
      return await call()
    } finally {
      this.#passOn()
    }
  }

  async #turn(waitMs: number | null, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (reason: Error) => {
      this.#waiting.delete(resolve)
      reject(reason)
    }
    const onAbort = () => giveUp(signal!.reason as Error)
    const timer = waitMs === null ? undefined : setTimeout(() => giveUp(new NoTurn('no turn in time')), waitMs)
    this.#waiting.add(resolve)
    signal?.addEventListener('abort', onAbort)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Gives the place to who waits longest; `running` then stays as it is. */
  #passOn(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#running--
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

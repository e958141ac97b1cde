interface PendingCall<Context> {
  readonly context: Context
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Calls to a thread that wait for their answers. A call's number travels with its message and comes back with the
 * answer.
 * @template Context value to remember about a call until its answer
 */
export class PendingCalls<Context> {
  readonly #calls = new Map<number, PendingCall<Context>>()
  #lastId = 0

  /** Number of calls that wait for an answer. */
  get size(): number {
    return this.#calls.size
  }

  /** Returns the number of calls that wait for an answer and whose context `isMeant` accepts. */
  count(isMeant: (context: Context) => boolean): number {
    return this.#calls
      .values()
      .filter(({ context }) => isMeant(context))
      .toArray().length
  }

  /** Opens a call. @param send called at once with the call's number @returns the answer to the call */
  open<T>(context: Context, send: (id: number) => void): Promise<T> {
    const id = ++this.#lastId
    return new Promise<T>((resolve, reject) => {
      this.#calls.set(id, { context, resolve: resolve as (value: unknown) => void, reject })
      send(id)
    })
  }

  /** Returns the context of a call; undefined once the call has ended. */
  contextOf(id: number): Context | undefined {
    return this.#calls.get(id)?.context
  }

  /** Answers a call, unless it has ended. */
  resolve(id: number, value: unknown): void {
    this.#end(id)?.resolve(value)
  }

  /** Fails a call, unless it has ended. */
  reject(id: number, error: Error): void {
    this.#end(id)?.reject(error)
  }

  /** Fails all calls, or those whose context `isMeant` accepts. */
  rejectAll(error: Error, isMeant: (context: Context) => boolean = () => true): void {
    for (const [id, { context }] of this.#calls) if (isMeant(context)) this.reject(id, error)
  }

  #end(id: number): PendingCall<Context> | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    return call
  }
}

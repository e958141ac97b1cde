interface PendingCall<Context> {
  readonly context: Context
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Calls to a thread that wait for their answers, by the number that goes with the message and comes back with the
 * answer.
 * @template Context what is remembered of a call until it is answered
 */
export class PendingCalls<Context> {
  readonly #calls = new Map<number, PendingCall<Context>>()
  #lastId = 0

  /** Opens a call. @param send called at once with the call's number @returns what the call is answered */
  open<T>(context: Context, send: (id: number) => void): Promise<T> {
    const id = ++this.#lastId
    return new Promise<T>((resolve, reject) => {
      this.#calls.set(id, { context, resolve: resolve as (value: unknown) => void, reject })
      send(id)
    })
  }

  /** What is remembered of a call; undefined once it has ended. */
  contextOf(id: number): Context | undefined {
    return this.#calls.get(id)?.context
  }

  /** Ends a call, unless it has ended. */
  resolve(id: number, value: unknown): void {
    this.#end(id)?.resolve(value)
  }

  /** Ends a call, unless it has ended. */
  reject(id: number, error: Error): void {
    this.#end(id)?.reject(error)
  }

  /** Ends the calls whose context `isMeant` accepts, all unless given. */
  rejectAll(error: Error, isMeant: (context: Context) => boolean = () => true): void {
    for (const [id, { context }] of this.#calls) if (isMeant(context)) this.reject(id, error)
  }

  #end(id: number): PendingCall<Context> | undefined {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    return call
  }
}

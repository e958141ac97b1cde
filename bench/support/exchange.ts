import type { Dispatcher } from 'undici'

/** One request on a connection, in undici's cheapest way, so that the generator takes little processor time. */
export class Exchange implements Dispatcher.DispatchHandler {
  #status = 0
  readonly #resolve: (status: number) => void
  readonly #reject: (error: Error) => void

  private constructor(resolve: (status: number) => void, reject: (error: Error) => void) {
    this.#resolve = resolve
    this.#reject = reject
  }

  /**
   * Sends a request.
   * @returns the status once the whole answer has arrived
   */
  static run(client: Dispatcher, request: Dispatcher.DispatchOptions): Promise<number> {
    return new Promise((resolve, reject) => client.dispatch(request, new Exchange(resolve, reject)))
  }

  onRequestStart(): void {
    // Nothing to prepare.
  }

  onResponseStart(_controller: unknown, status: number): void {
    this.#status = status
  }

  onResponseData(): void {
    // The content was checked before the measurement.
  }

  onResponseEnd(): void {
    this.#resolve(this.#status)
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#reject(error)
  }
}

import type { Purpose } from './reader.ts'

/** A call that waits for its texts to be read. */
export interface ReadingCall {
  readonly call: number
  readonly purpose: Purpose
  readonly texts: readonly string[]
}

/** One step of a call's work: a run of the model. */
type Steps = AsyncIterator<void, void>

/**
 * Decides whose turn it is to be read. Queries come before passages, also between two windows of a passage, because a
 * person waits for them. Calls of one purpose come in the order in which they arrived.
 */
export class ReadingTurns {
  readonly #begin: (call: ReadingCall) => Steps
  readonly #calls: Readonly<Record<Purpose, Map<number, Steps>>> = { query: new Map(), passage: new Map() }
  #isRunning = false

  /** @param begin begins the work of a call, which ends with its answer and never fails */
  constructor(begin: (call: ReadingCall) => Steps) {
    this.#begin = begin
  }

  add(call: ReadingCall): void {
    this.#calls[call.purpose].set(call.call, this.#begin(call))
    if (!this.#isRunning) void this.#run()
  }

  /** Forgets a call, of which the step that runs is the last. */
  drop(call: number): void {
    for (const calls of Object.values(this.#calls)) calls.delete(call)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      const purpose = this.#calls.query.size > 0 ? 'query' : 'passage'
      const [next] = this.#calls[purpose]
      if (next === undefined) break
      const [call, steps] = next
      if ((await steps.next()).done) this.#calls[purpose].delete(call)
      // A run blocks the thread. Messages that have come meanwhile are heard before the next one.
      await new Promise(setImmediate)
    }
    this.#isRunning = false
  }
}

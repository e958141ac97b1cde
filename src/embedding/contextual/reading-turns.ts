import type { Purpose } from './reader.ts'

/** A call that waits for its texts to be read. */
export interface ReadingCall {
  readonly call: number
  readonly purpose: Purpose
  /** Id of the tenant for which the texts are read; empty for none. */
  readonly owner: string
  readonly texts: readonly string[]
}

/** One step of a call's work: a run of the model. */
type Steps = AsyncIterator<void, void>

/** Calls of one purpose by owner, in the order of the owners' turns, and those of an owner in the order of arrival. */
type Waiting = Map<string, Map<number, Steps>>

/**
 * Milliseconds that passages wait behind queries until one step of theirs is due. A step takes some 30 ms, so that
 * queries without end leave passages about a fifteenth of the time.
 */
const PASSAGES_WAIT_MS = 500

/**
 * Decides whose turn it is to be read. Queries come before passages, also between two windows of a passage, because a
 * person waits for them; but a stream of queries without end does not keep passages from being read. Tenants take turns
 * with one step each, so that what one of them asks delays the others by a step, however long and however much it is.
 * Calls of one tenant and purpose come in the order in which they arrived.
 */
export class ReadingTurns {
  readonly #begin: (call: ReadingCall) => Steps
  readonly #now: () => number
  readonly #waiting: Readonly<Record<Purpose, Waiting>> = { query: new Map(), passage: new Map() }
  /** Time since which passages wait: their last step, or the arrival of the first one. */
  #passagesSince = 0
  #isRunning = false

  /**
   * @param begin begins the work of a call, which ends with its answer and never fails
   * @param now clock in milliseconds
   */
  constructor(begin: (call: ReadingCall) => Steps, now: () => number = () => performance.now()) {
    this.#begin = begin
    this.#now = now
  }

  add(call: ReadingCall): void {
    const waiting = this.#waiting[call.purpose]
    if (call.purpose === 'passage' && waiting.size === 0) this.#passagesSince = this.#now()
    const steps = this.#begin(call)
    const own = waiting.get(call.owner)
    if (own === undefined) waiting.set(call.owner, new Map([[call.call, steps]]))
    else own.set(call.call, steps)
    if (!this.#isRunning) void this.#run()
  }

  /** Forgets a call, of which the step that runs is the last. */
  drop(call: number): void {
    for (const waiting of Object.values(this.#waiting)) {
      for (const [owner, own] of waiting) if (own.delete(call) && own.size === 0) waiting.delete(owner)
    }
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (;;) {
      const purpose = this.#nextPurpose()
      const waiting = this.#waiting[purpose]
      const [next] = waiting
      if (next === undefined) break
      const [owner, own] = next
      const [[call, steps]] = own
      const { done } = await steps.next()
      endTurn(waiting, owner, done ? call : null)
      if (purpose === 'passage') this.#passagesSince = this.#now()
      // A run blocks the thread. Messages that have come meanwhile are heard before the next one.
      await new Promise(setImmediate)
    }
    this.#isRunning = false
  }

  #nextPurpose(): Purpose {
    const { query, passage } = this.#waiting
    const isPassageDue = passage.size > 0 && this.#now() - this.#passagesSince >= PASSAGES_WAIT_MS
    return query.size > 0 && !isPassageDue ? 'query' : 'passage'
  }
}

/** Puts an owner behind all others, those that came during its step too. @param ended its call, if that has ended */
function endTurn(waiting: Waiting, owner: string, ended: number | null): void {
  const own = waiting.get(owner)
  if (own === undefined) return
  waiting.delete(owner)
  if (ended !== null) own.delete(ended)
  if (own.size > 0) waiting.set(owner, own)
}

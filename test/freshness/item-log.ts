/** Numbers the events that the test process sees, in their order. */
export class EventOrder {
  #last = 0

  next(): number {
    return ++this.#last
  }
}

interface LoggedWrite<State> {
  /** State of the item after the write; null for a deletion. */
  readonly state: State | null
  /** Event at which the answer to the write had been read; Infinity until then. */
  acknowledged: number
}

/** Every state that one item was given, in the order of the writes. An item has one writer. */
export class ItemLog<State> {
  /** Name that the writer chose. A search may find the item before the writer has read its id. */
  readonly name: string
  readonly #order: EventOrder
  readonly #writes: LoggedWrite<State>[] = []
  /** The id that the service gave; empty until the answer has been read. */
  id = ''
  /** Whether the indexes of both processes had the item when the history began. */
  isIndexed = false

  constructor(name: string, order: EventOrder) {
    this.name = name
    this.#order = order
  }

  /** The state after the last write that was sent; null without any write, and after a deletion. */
  get state(): State | null {
    return this.#writes.at(-1)?.state ?? null
  }

  /** All states that were sent until now, oldest first. */
  get states(): readonly (State | null)[] {
    return this.#writes.map(({ state }) => state)
  }

  /** Logs a state while `send` gives it to the item, and when that was acknowledged. */
  async write<Result>(state: State | null, send: () => Promise<Result>): Promise<Result> {
    const write: LoggedWrite<State> = { state, acknowledged: Infinity }
    this.#writes.push(write)
    const result = await send()
    write.acknowledged = this.#order.next()
    return result
  }

  /**
   * Returns the states that the answer to a search may be about, oldest first: the last one that was acknowledged
   * before the search was sent, and those that were sent later. It has to be called as soon as the answer was read.
   * @param sent event at which the search was sent
   */
  statesSince(sent: number): readonly (State | null)[] {
    const newest = this.#writes.findLastIndex(({ acknowledged }) => acknowledged < sent)
    return newest < 0 ? [null, ...this.states] : this.states.slice(newest)
  }
}

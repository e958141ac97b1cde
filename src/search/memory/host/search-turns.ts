/** Decides which replicas catch up and which replica answers in each turn of the event loop. */
import { FairQueue } from '../../../platform/threads/fair-queue.ts'
import { isExpensive, type Replica, TURN_MS } from './replica.ts'

export interface SearchTurnsOptions {
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Starts to read the changes that searches of a replica wait for. */
  readonly catchUp: (replica: Replica) => void
  /** Answers searches of a replica. @returns whether a search was answered */
  readonly answer: (replica: Replica) => boolean
}

/**
 * Starts to catch up every index that is behind, then answers searches of one index per turn of the event loop, if
 * possible of another tenant than in the turn before. A search thus waits for at most one batch of each other tenant,
 * even while its index catches up.
 */
export class SearchTurns {
  readonly #options: SearchTurnsOptions
  /** Replicas with searches that arrived in this turn of the event loop. */
  readonly #called = new Set<Replica>()
  /** Replicas with searches to answer; tenants take turns. */
  readonly #due = new FairQueue<Replica>()
  /** Replicas that read a few changes for a waiting search. */
  readonly #reading = new Set<Replica>()
  #lastTenant = ''
  #isScheduled = false
  #isTimerSet = false

  constructor(options: SearchTurnsOptions) {
    this.#options = options
  }

  /** Schedules a replica's searches, for when all messages that have arrived by now are read. */
  wake(replica: Replica): void {
    if (replica.waiting.length === 0) return
    this.#called.add(replica)
    if (!replica.isDue) this.#due.push(replica.version.tenantId, replica)
    replica.isDue = true
    this.#schedule()
  }

  /** Makes expensive searches of other tenants give way while a replica reads a few changes. */
  beginReading(replica: Replica): void {
    this.#reading.add(replica)
  }

  /** Ends `beginReading`. */
  endReading(replica: Replica): void {
    this.#reading.delete(replica)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      for (const replica of this.#called) this.#options.catchUp(replica)
      this.#called.clear()
      const replica = this.#nextDue()
      if (replica === null) return
      replica.isDue = false
      if (this.#options.answer(replica)) this.#lastTenant = replica.version.tenantId
      if (!this.#due.isEmpty) this.#schedule()
    })
  }

  /** Returns the replica to answer next; null if all due replicas give way, and then a timer tries again. */
  #nextDue(): Replica | null {
    const waiting: Replica[] = []
    let next: Replica | null = null
    while (next === null && !this.#due.isEmpty) {
      const replica = this.#due.shift((tenantId) => tenantId !== this.#lastTenant) ?? this.#due.shift()!
      if (this.#givesWay(replica)) waiting.push(replica)
      else next = replica
    }
    for (const replica of waiting) this.#due.push(replica.version.tenantId, replica)
    if (waiting.length > 0) this.#scheduleLater()
    return next
  }

  /**
   * Tells whether a replica gives way: expensive searches wait up to one turn while another tenant's search reads
   * changes from the database. Otherwise that search would wait for an expensive one after each of its statements.
   */
  #givesWay(replica: Replica): boolean {
    const now = this.#options.now()
    const { tenantId } = replica.version
    const mayGiveWay =
      isExpensive(replica) && this.#reading.values().some(({ version }) => version.tenantId !== tenantId)
    if (mayGiveWay) replica.gaveWayAt ??= now
    if (mayGiveWay && now - replica.gaveWayAt! < TURN_MS) return true
    replica.gaveWayAt = null
    return false
  }

  #scheduleLater(): void {
    if (this.#isTimerSet) return
    this.#isTimerSet = true
    setTimeout(() => {
      this.#isTimerSet = false
      this.#schedule()
    }, TURN_MS)
  }
}

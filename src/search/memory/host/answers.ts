/** Answers the waiting searches of a replica in batches, until the replica's turn of the event loop is over. */
import { ArenaFull } from '../columns/arena.ts'
import { IndexFileLost } from '../columns/index-files.ts'
import type { Pager } from './pager.ts'
import { batchMax, noteSearches, type Replica, TURN_MS, type WaitingJob } from './replica.ts'
import type { Replicas } from './replicas.ts'
import type { Room } from './room.ts'

/** Milliseconds between two measurements of an index that is searched. Searches make an index grow, but slowly. */
const MEASURE_MS = 1_000

export interface AnswersOptions {
  readonly replicas: Replicas
  readonly room: Room
  readonly pager: Pager
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Schedules the searches that this turn had no time for. */
  readonly wake: (replica: Replica) => void
}

export class Answers {
  readonly #options: AnswersOptions

  constructor(options: AnswersOptions) {
    this.#options = options
  }

  /**
   * Answers searches until the turn of their replica is over. Measured time bounds the turn, not the number of
   * searches: after one search that the operating system delayed, many cheap ones can still share the turn. A batch
   * that takes half of the turn is the last one, because a small batch for the rest would share too little of a scan.
   * @returns whether a search was answered
   */
  serve(replica: Replica): boolean {
    const { replicas, room, pager, now, wake } = this.#options
    const began = now()
    let hasAnswered = false
    pager.noteSearched(replica)
    if (!room.pageIn(replica)) {
      if (!replica.dropped) replicas.refuse(replica, 'crowded')
      return false
    }
    // The replica may be dropped after a batch, such as when its files are lost.
    for (let tookMs = 0; tookMs < TURN_MS / 2 && !replica.dropped; tookMs = now() - began) {
      const jobs = takeReady(replica, batchMax(replica, TURN_MS - tookMs))
      if (jobs.length === 0) break
      hasAnswered = true
      this.#answer(replica, jobs)
    }
    if (!replica.dropped && now() - replica.measuredAt >= MEASURE_MS) room.measure(replica)
    if (!replica.dropped && replica.waiting.some((job) => isReady(replica, job))) wake(replica)
    return hasAnswered
  }

  #answer(replica: Replica, jobs: readonly WaitingJob[]): void {
    const { room, now } = this.#options
    const searches = jobs.filter((job) => job.request !== null)
    const requests = searches.map((job) => job.request!)
    const started = now()
    let outcomes = replica.index.search(requests)
    while (outcomes.some((outcome) => outcome instanceof ArenaFull) && room.evict(replica)) {
      outcomes = replica.index.search(requests)
    }
    const lost = outcomes.find((outcome) => outcome instanceof IndexFileLost)
    if (lost !== undefined) {
      replica.waiting.unshift(...jobs)
      room.loseFiles(replica, lost)
      return
    }
    const search = now() - started
    if (searches.length > 0) noteSearches(replica, search, searches.length)
    for (const job of jobs) if (job.request === null) job.settle(null)
    for (const [i, job] of searches.entries()) {
      const outcome = outcomes[i]
      const timing = { refresh: started - job.since, search }
      job.settle(outcome instanceof Error ? outcome : { ...outcome, timing })
    }
  }
}

/** Tells whether the index has reached the watermark of a search. */
function isReady(replica: Replica, { version }: WaitingJob): boolean {
  return version.watermark <= replica.index.reached
}

/** Removes and returns the first searches, at most `max`, whose watermark the index has reached. */
function takeReady(replica: Replica, max: number): WaitingJob[] {
  const ready: WaitingJob[] = []
  const later: WaitingJob[] = []
  for (const job of replica.waiting) (isReady(replica, job) && ready.length < max ? ready : later).push(job)
  replica.waiting = later
  return ready
}

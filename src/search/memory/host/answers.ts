/** Answers the waiting searches of a replica in batches, until the replica's turn of the event loop is over. */
import type { SearchHit } from '../../engine.ts'
import { ArenaFull } from '../columns/arena.ts'
import { IndexFileLost } from '../columns/index-files.ts'
import { withoutPassage } from '../../hits/without-passage.ts'
import type { Pager } from './pager.ts'
import { expiryOf, isReady, nextLookAt, type Waits } from './readiness.ts'
import { batchMax, documentsBehind, noteSearches, type Replica, TURN_MS, type WaitingJob } from './replica.ts'
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
  readonly waits: Waits
  /** Receives the milliseconds that searches of a tenant took. */
  readonly onWork: (tenantId: string, ms: number) => void
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
      const jobs = this.#takeReady(replica, batchMax(replica, TURN_MS - tookMs))
      if (jobs.length === 0) break
      hasAnswered = true
      this.#answer(replica, jobs)
    }
    if (!replica.dropped && now() - replica.measuredAt >= MEASURE_MS) room.measure(replica)
    if (replica.dropped) return hasAnswered
    if (replica.waiting.some((job) => this.#isReady(replica, job))) wake(replica)
    else this.#setDeadline(replica)
    return hasAnswered
  }

  #isReady(replica: Replica, job: WaitingJob): boolean {
    return isReady(replica, job, this.#options.now(), this.#options.waits)
  }

  /** Removes and returns the first jobs that are ready, at most `max`. Ends those that have waited too long. */
  #takeReady(replica: Replica, max: number): WaitingJob[] {
    const { now, waits } = this.#options
    const ready: WaitingJob[] = []
    const later: WaitingJob[] = []
    const expired: { readonly job: WaitingJob; readonly error: Error }[] = []
    for (const job of replica.waiting) {
      if (this.#isReady(replica, job)) (ready.length < max ? ready : later).push(job)
      else {
        const error = expiryOf(replica, job, now(), waits)
        if (error === null) later.push(job)
        else expired.push({ job, error })
      }
    }
    replica.waiting = later
    for (const { job, error } of expired) job.settle(error)
    return ready
  }

  /** Looks at the waiting searches again once one of them may be answered or must end. */
  #setDeadline(replica: Replica): void {
    const { now, waits, wake } = this.#options
    if (replica.deadline !== null) clearTimeout(replica.deadline)
    replica.deadline = null
    const at = replica.waiting.reduce((first, job) => Math.min(first, nextLookAt(replica, job, waits)), Infinity)
    if (at === Infinity) return
    replica.deadline = setTimeout(
      () => {
        replica.deadline = null
        if (!replica.dropped) wake(replica)
      },
      Math.max(1, at - now()),
    ).unref()
  }

  #answer(replica: Replica, jobs: readonly WaitingJob[]): void {
    const { room, now, onWork } = this.#options
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
    onWork(replica.version.tenantId, search)
    if (searches.length > 0) noteSearches(replica, search, searches.length)
    for (const job of jobs) if (job.request === null) job.settle(null)
    for (const [i, job] of searches.entries()) {
      const outcome = outcomes[i]
      const timing = { refresh: started - job.since, search }
      if (outcome instanceof Error) job.settle(outcome)
      else
        job.settle({
          ...outcome,
          hits: withoutStalePassages(replica, outcome.hits),
          ...behindOf(replica, job),
          ...(replica.index.leftOut === 0 ? {} : { leftOut: replica.index.leftOut }),
          timing,
        })
    }
  }
}

/**
 * Returns how far the index is behind the watermark of a search, as a part of its answer. Beyond the watermark it counts
 * the documents that a later write hides: the answer would have had them.
 */
function behindOf(replica: Replica, { version }: WaitingJob): { readonly behind?: number } {
  const behind = version.watermark <= replica.index.reached ? replica.awaited.hidden : documentsBehind(replica)
  return behind === 0 ? {} : { behind }
}

/** Returns hits without the passages of those whose text has changed: their offsets are of the former text. */
function withoutStalePassages({ awaited }: Replica, hits: readonly SearchHit[]): readonly SearchHit[] {
  return awaited.size === 0 ? hits : hits.map((hit) => (awaited.has(hit.id) ? withoutPassage(hit) : hit))
}

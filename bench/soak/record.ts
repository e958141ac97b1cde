import { loadavg } from 'node:os'
import { distribution, type Distribution } from '../support/distribution.ts'
import type { Outcome } from './load.ts'

/** Milliseconds after a fault is put right in which requests that it held up may still fail. */
const AFTERMATH_MS = 5_000
const MINUTE_MS = 60_000

interface Window {
  readonly name: string
  readonly beganMs: number
  endedMs: number
}

/** Requests of one kind. */
interface KindFigures extends Distribution {
  readonly kind: string
  readonly failed: number
  readonly hungUp: number
  /** Times of the requests that no fault overlapped. */
  readonly quiet: Distribution
}

interface FaultFigures {
  readonly fault: string
  readonly times: number
  /** Seconds from the begin of a fault until every process was ready again, of the longest. */
  readonly secondsMax: number
  /** Times of the requests that were under way during a fault or in the five seconds after it. */
  readonly requests: Distribution
  /** Number of failed requests, by reason. */
  readonly failed: Readonly<Record<string, number>>
}

interface MinuteFigures extends Distribution {
  readonly minute: number
  readonly fault: string
  readonly load: number
  readonly failed: number
  /** Number of requests that failed although no fault overlapped them. */
  readonly unexpected: number
  /** Resident memory of each process at the end of the minute. */
  readonly memoryMb: readonly number[]
}

export interface RecordFigures {
  readonly kinds: readonly KindFigures[]
  readonly faults: readonly FaultFigures[]
  readonly minutes: readonly MinuteFigures[]
  /** Number of failed requests that no fault overlapped, by reason. */
  readonly unexpected: Readonly<Record<string, number>>
}

/** Records the outcome of every request of a soak, and the times of faults. */
export class SoakRecord {
  readonly #beganMs = performance.now()
  readonly #outcomes: Outcome[] = []
  readonly #windows: Window[] = []
  readonly #ends: { readonly load: number; readonly memoryMb: readonly number[] }[] = []

  readonly note = (outcome: Outcome): void => {
    this.#outcomes.push(outcome)
  }

  async during(fault: string, work: () => Promise<void>): Promise<void> {
    const window = { name: fault, beganMs: performance.now(), endedMs: Infinity }
    this.#windows.push(window)
    await work()
    window.endedMs = performance.now()
  }

  /** Notes the end of a minute. @returns its figures */
  endMinute(memoryMb: readonly number[]): MinuteFigures {
    this.#ends.push({ load: Math.round(loadavg()[0] * 10) / 10, memoryMb })
    return this.#minute(this.#ends.length - 1)
  }

  get figures(): RecordFigures {
    const names = [...new Set(this.#outcomes.map(({ kind }) => kind))]
    return {
      kinds: names.map((kind) => {
        const own = this.#outcomes.filter((each) => each.kind === kind)
        const quiet = own.filter((each) => this.#windowOf(each) === undefined)
        const hungUp = own.filter((each) => each.hungUp).length
        return { kind, failed: failuresIn(own), hungUp, ...timesOf(own), quiet: timesOf(quiet) }
      }),
      faults: [...new Set(this.#windows.map(({ name }) => name))].map((name) => this.#fault(name)),
      minutes: this.#ends.map((_, minute) => this.#minute(minute)),
      unexpected: countBy(this.#outcomes.filter((each) => this.#windowOf(each) === undefined)),
    }
  }

  #fault(name: string): FaultFigures {
    const windows = this.#windows.filter((each) => each.name === name)
    const met = this.#outcomes.filter((each) => this.#windowOf(each)?.name === name)
    const secondsMax = Math.max(...windows.map(({ beganMs, endedMs }) => endedMs - beganMs)) / 1_000
    return { fault: name, times: windows.length, secondsMax, requests: timesOf(met), failed: countBy(met) }
  }

  #minute(index: number): MinuteFigures {
    const [from, to] = [this.#beganMs + index * MINUTE_MS, this.#beganMs + (index + 1) * MINUTE_MS]
    const own = this.#outcomes.filter(({ dueMs }) => dueMs >= from && dueMs < to)
    const faults = this.#windows.filter(({ beganMs }) => beganMs >= from && beganMs < to)
    return {
      minute: index + 1,
      fault: faults.map(({ name }) => name).join(', '),
      ...this.#ends[index],
      failed: failuresIn(own),
      unexpected: failuresIn(own.filter((each) => this.#windowOf(each) === undefined)),
      ...timesOf(own),
    }
  }

  /** Returns the fault that a request met. */
  #windowOf({ dueMs, endMs }: Outcome): Window | undefined {
    return this.#windows.find((each) => each.beganMs <= endMs && each.endedMs + AFTERMATH_MS >= dueMs)
  }
}

/** Returns the times of the answered requests, from when each should have been sent. */
function timesOf(outcomes: readonly Outcome[]): Distribution {
  const answered = outcomes.filter(({ reason, hungUp }) => reason === null && !hungUp)
  return distribution(answered.map(({ dueMs, endMs }) => Math.round((endMs - dueMs) * 10) / 10))
}

function failuresIn(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ reason }) => reason !== null).length
}

/** Counts failed requests by kind and reason. */
function countBy(outcomes: readonly Outcome[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { kind, reason } of outcomes) {
    if (reason === null) continue
    const what = `${kind}: ${reason}`
    counts[what] = (counts[what] ?? 0) + 1
  }
  return counts
}

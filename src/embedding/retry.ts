import { setTimeout as sleep } from 'node:timers/promises'

/** Clock, random numbers and sleep, so that tests control all three. */
export interface Timing {
  /** Returns milliseconds since any fixed moment, which never decrease. */
  now(): number
  /** Returns a random number in [0, 1). */
  random(): number
  /** Sleeps. @throws the signal's reason when the signal is aborted */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>
}

export const SYSTEM_TIMING: Timing = {
  now: () => performance.now(),
  random: Math.random,
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal })
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
}

interface RetryPolicy {
  readonly attemptsMax: number
  /** Upper bound of the first wait. It doubles with every attempt, up to `waitMaxMs`. */
  readonly waitMs: number
  readonly waitMaxMs: number
  /** Time, on the clock of `now`, after which no attempt starts. */
  readonly deadline: number
}

/**
 * Repeats a call until it succeeds. Between two attempts it waits a random part of an exponentially growing bound
 * ("full jitter", M. Brooker, Exponential Backoff And Jitter, AWS 2015), or as long as the provider asks, whichever is
 * longer.
 *
 * @param waitAtLeastMs returns the wait for which an error asks; null if another attempt is pointless
 * @throws the error of the last attempt; at once if the next attempt could start only after the deadline
 */
export async function retry<T>(
  attempt: () => Promise<T>,
  policy: RetryPolicy,
  waitAtLeastMs: (error: unknown) => number | null,
  timing: Timing,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let failed = 1; ; failed++) {
    try {
      return await attempt()
    } catch (error) {
      const atLeastMs = waitAtLeastMs(error)
      if (atLeastMs === null || failed >= policy.attemptsMax) throw error
      const bound = Math.min(policy.waitMaxMs, policy.waitMs * 2 ** (failed - 1))
      const waitMs = Math.max(atLeastMs, timing.random() * bound)
      if (timing.now() + waitMs >= policy.deadline) throw error
      await timing.sleep(waitMs, signal)
    }
  }
}

/**
 * Returns the milliseconds of a Retry-After header (RFC 9110, section 10.2.3: seconds or a date); null if it is absent
 * or malformed. A past date gives 0.
 */
export function parseRetryAfter(header: string | undefined, dateNowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  // Date.parse accepts many strings that are no HTTP dates; HTTP dates all start with a weekday.
  const date = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - dateNowMs)
}

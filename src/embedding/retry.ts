import { setTimeout as sleep } from 'node:timers/promises'

/** Time and chance, so that tests need not wait for either. */
export interface Timing {
  /** Milliseconds from any fixed moment, never going back. */
  now(): number
  /** In [0, 1). */
  random(): number
  /** @throws the signal's reason when it is aborted */
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
  /** Bound of the first wait; doubles with every attempt up to `waitMaxMs`. */
  readonly waitMs: number
  readonly waitMaxMs: number
  /** Moment, in the timing's milliseconds, after which no attempt begins. */
  readonly deadline: number
}

/**
 * Calls until it succeeds, waiting a random part of an exponentially growing bound in between ("full jitter",
 * M. Brooker, Exponential Backoff And Jitter, AWS 2015), or as long as the provider asked for if that is longer.
 *
 * @param waitAtLeastMs what an error asks to wait; null when trying again is pointless
 * @throws the last attempt's error, at once when the next attempt could only begin past the deadline
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
 * Milliseconds a Retry-After header asks for (RFC 9110, section 10.2.3: seconds or a date); null when it is
 * absent or malformed. A date that has passed gives 0.
 */
export function parseRetryAfter(header: string | undefined, dateNowMs: number): number | null {
  if (header === undefined) return null
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  // Date.parse takes much that is no HTTP date; those all begin with a weekday.
  const date = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - dateNowMs)
}

import type { WakeUp } from './wake-up.ts'

/**
 * Time between two looks for a job that nobody called for. With 30 ms, half of such entries were found after 33.4 ms on
 * PostgreSQL, with 15 ms after 24.5, and an idle service took no more (`bench:writes`). On an idle PostgreSQL, where
 * nobody looks, a job waits until the sleep ends, which may take a second.
 */
const LOOK_EVERY_MS = 15

interface Watched {
  readonly wakeUp: Pick<WakeUp, 'sleep'>
  /** See `Database.changeNumber`. */
  readonly changeNumber: () => number | null
  /** Whether there is work that can begin now. */
  readonly isDue: () => Promise<boolean>
  /**
   * Whether there was work lately. Where the database has no change number, each look is a statement, so that an idle
   * sleeper does not look there.
   */
  readonly isBusy: boolean
  /** Clock in milliseconds. */
  readonly now?: () => number
}

/**
 * Sleeps for `ms`, or until somebody calls, or until there is work that nobody called for: a job written by another
 * process, or one whose call was lost.
 * @param seen the change number from before the sleeper last looked for work
 */
export async function sleepWatchfully(
  { wakeUp, changeNumber, isDue, isBusy, now = () => performance.now() }: Watched,
  ms: number,
  seen: number | null,
): Promise<void> {
  if (!isBusy && changeNumber() === null) {
    await wakeUp.sleep(ms)
    return
  }
  const end = now() + ms
  for (let known = seen, left = ms; left > 0; left = end - now()) {
    if (await wakeUp.sleep(Math.min(LOOK_EVERY_MS, left))) return
    if (now() >= end) return
    const number = changeNumber()
    if (number !== null && number === known) continue
    known = number
    if (await isDue()) return
  }
}

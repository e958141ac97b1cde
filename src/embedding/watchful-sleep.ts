import type { WakeUp } from './wake-up.ts'

/**
 * Milliseconds between two looks for jobs without a call. With 30 ms, half of the entries of such jobs were found after
 * 33.4 ms on PostgreSQL, with 15 ms after 24.5, and an idle service took no more processor time (`bench:writes`). On an
 * idle PostgreSQL there are no looks, and a job waits until the sleep ends, which may take a second.
 */
const LOOK_EVERY_MS = 15

/** The sleeper's view of its work. */
interface WorkWatch {
  readonly wakeUp: Pick<WakeUp, 'sleep'>
  /** Returns a number that differs after each change of the database; see `Database.changeNumber`. */
  readonly changeNumber: () => number | null
  /** Tells whether there is work that can begin now. */
  readonly isDue: () => Promise<boolean>
  /**
   * Whether there was work lately. Without a change number each look costs a statement, so an idle sleeper does not
   * look then.
   */
  readonly isBusy: boolean
  /** Returns the time in milliseconds; by default `performance.now`. */
  readonly now?: () => number
}

/**
 * Sleeps for `ms`, or until a call, or until there is work without a call: a job from another process, or a job whose
 * call was lost.
 * @param seen change number from before the sleeper last looked for work
 */
export async function sleepWatchfully(
  { wakeUp, changeNumber, isDue, isBusy, now = () => performance.now() }: WorkWatch,
  ms: number,
  seen: number | null,
): Promise<void> {
  if (!isBusy && changeNumber() === null) {
    await wakeUp.sleep(ms)
    return
  }
  const end = now() + ms
  for (let lastNumber = seen, left = ms; left > 0; left = end - now()) {
    if (await wakeUp.sleep(Math.min(LOOK_EVERY_MS, left))) return
    if (now() >= end) return
    const number = changeNumber()
    if (number !== null && number === lastNumber) continue
    lastNumber = number
    if (await isDue()) return
  }
}

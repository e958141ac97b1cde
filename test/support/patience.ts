import { AssertionError } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'

/**
 * Milliseconds that a test waits for an event. Every event takes less, even on a very busy machine. So only a hang
 * reaches the limit, and no test judges a speed by it.
 */
export const HANG_MS = 300_000
/** Milliseconds that the work of one thread may take, which waits for no other process. */
const WORK_HANG_MS = 60_000
const LOOK_AGAIN_MS = 5
/** The clock itself, also where a test puts another in its place. */
const now = performance.now.bind(performance)

/**
 * Waits for a state that no event announces, by checking again and again.
 * @throws AssertionError that names the state when it hangs
 */
export async function until(isSo: () => boolean | Promise<boolean>, what: string | (() => string)): Promise<void> {
  const deadline = now() + HANG_MS
  while (!(await isSo())) {
    if (now() > deadline) {
      throw new AssertionError({ message: `waited in vain until ${typeof what === 'string' ? what : what()}` })
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

/**
 * Waits for a value that is not there at first.
 * @returns the value
 * @throws AssertionError that names the value when it hangs
 */
export async function found<T>(look: () => T | Promise<T>, what: string | (() => string)): Promise<NonNullable<T>> {
  let last: T | undefined
  await until(async () => (last = await look()) !== undefined && last !== null, what)
  return last!
}

/**
 * Does work whose time must grow in proportion to its input. The input is so long that any faster growth would be a
 * hang.
 * @throws Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT when it hangs; native code, such as `normalize`, ends first
 */
export function unlessItHangs<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: WORK_HANG_MS }) as T
}

import { AssertionError } from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'

/**
 * How long a test waits for what has to happen. Whatever goes on takes less, also on a machine that is very busy, so only
 * a hang reaches it and no test judges a speed by it.
 */
export const HANG_MS = 300_000
/** The same for the work of one thread, which waits for nobody. */
const WORK_HANG_MS = 60_000
const LOOK_AGAIN_MS = 5

/** Waits for what nobody announces, and looks again and again. @throws AssertionError that names it when it hangs */
export async function until(isSo: () => boolean | Promise<boolean>, what: string | (() => string)): Promise<void> {
  const deadline = performance.now() + HANG_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) {
      throw new AssertionError({ message: `waited in vain until ${typeof what === 'string' ? what : what()}` })
    }
    await sleep(LOOK_AGAIN_MS)
  }
}

/** Waits for something that is not there at first. @returns it. @throws AssertionError that names it when it hangs */
export async function found<T>(look: () => T | Promise<T>, what: string | (() => string)): Promise<NonNullable<T>> {
  let last: T | undefined
  await until(async () => (last = await look()) !== undefined && last !== null, what)
  return last!
}

/**
 * Does work that must grow in step with its input, and whose input is so long that more than that would be a hang.
 * @throws Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT when it hangs. Native code, such as `normalize`, ends first
 */
export function unlessItHangs<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: WORK_HANG_MS }) as T
}

import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** As nice(1) does it. Half of it is enough to be asked last; none of it stops work while a processor is free. */
const NICENESS = 10

/**
 * Lets this thread give way to the threads of the process that answer, where both want a processor. Linux has a
 * priority for each thread, of which Node knows nothing (setpriority(2), notes); elsewhere nothing changes.
 */
export function giveWay(): void {
  try {
    // Read by this thread itself, so it is its own: "PID/task/TID".
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, NICENESS)
  } catch {
    // Not Linux, or not allowed: the thread works as it did.
  }
}

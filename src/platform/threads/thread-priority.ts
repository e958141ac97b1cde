import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * Niceness for `giveWay`: the default of nice(1). Enough to come last when processors are scarce; an idle processor
 * still runs the work.
 */
const NICENESS = 10

/**
 * Lowers this thread's priority below the threads that answer requests. Linux has a priority per thread, which Node
 * cannot set (setpriority(2), notes); on other systems nothing changes.
 */
export function giveWay(): void {
  try {
    // The link names the thread that reads it: "PID/task/TID".
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(threadId, NICENESS)
  } catch {
    // Not Linux, or not allowed: the thread keeps its priority.
  }
}

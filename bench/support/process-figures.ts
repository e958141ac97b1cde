import { readFileSync } from 'node:fs'

/** Units of processor time in a second. Linux counts hundredths (USER_HZ) on every architecture Node runs on. */
const TICKS_PER_SECOND = 100

/**
 * Returns the processor seconds of a process with all its threads, user and system (proc(5), fields 14 and 15 of stat).
 */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field, the command in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/**
 * Returns the resident memory of a process in megabytes: now, at its highest, and now without mapped files, which the
 * system may reclaim at any time.
 */
export function memoryMb(pid: number): { now: number; peak: number; own: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1_024
  return { now: read('VmRSS'), peak: read('VmHWM'), own: read('RssAnon') + read('RssShmem') }
}

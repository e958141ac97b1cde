import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Ticks of the clock in `/proc` per second, as on all Linux systems that Node runs on. */
const TICKS = 100

/** Returns the ids of other processes that have a file open; none where the system does not tell, as only Linux does. */
export function openIn(file: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid && hasOpen(name, file),
  )
}

/** Tells whether a process is the service, and not another command. */
export function isService(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('serve')
  } catch {
    return false
  }
}

/**
 * Returns when a process started, in milliseconds since 1970, to a hundredth of a second; null for one that has ended.
 * Fields: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function startOf(pid: string): number | null {
  try {
    // The name of the program, in parentheses, may hold spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    const [upSeconds] = readFileSync('/proc/uptime', 'utf8').split(' ')
    return Date.now() - (Number(upSeconds) - Number(fields[19]) / TICKS) * 1_000
  } catch {
    return null
  }
}

function hasOpen(pid: string, file: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === file)
  } catch {
    return false
  }
}

/** Returns the target of a link; null when the file was closed meanwhile. */
function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

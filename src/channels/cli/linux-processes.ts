/** What Linux tells of other processes of this user, in `/proc`. Other systems tell nothing. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Ticks of the clock in `/proc` per second, as on all Linux systems that Node runs on. */
const TICKS = 100
/** State of a socket that takes connections, as the kernel writes it (include/net/tcp_states.h). */
const LISTEN = '0A'
const SOCKET = /^socket:\[(\d+)\]$/

/** Returns the ids of other processes that have a file open; none where the system does not tell. */
export function openIn(file: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid && openFilesOf(name).includes(file),
  )
}

/** Tells whether a process is the service, and not another command. */
export function isService(pid: string): boolean {
  return unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes('serve'), false)
}

/**
 * Returns when a process started, in milliseconds since 1970, to a hundredth of a second; null for one that has ended.
 * Fields: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
export function startOf(pid: string): number | null {
  return unlessGone(() => {
    // The name of the program, in parentheses, may hold spaces.
    const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
    const [upSeconds] = readFileSync('/proc/uptime', 'utf8').split(' ')
    return Date.now() - (Number(upSeconds) - Number(afterName.split(' ')[19]) / TICKS) * 1_000
  }, null)
}

/**
 * Returns the TCP ports on which a process takes connections, in ascending order; none where the system does not tell.
 * Rows: https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function listeningPorts(pid: string): number[] {
  const own = new Set(openFilesOf(pid).flatMap((name) => SOCKET.exec(name)?.[1] ?? []))
  const ports = ['tcp', 'tcp6'].flatMap((table) => portsIn(`/proc/${pid}/net/${table}`, own))
  return [...new Set(ports)].toSorted((a, b) => a - b)
}

/** @param own inodes of the sockets of the process */
function portsIn(table: string, own: ReadonlySet<string>): number[] {
  const rows = unlessGone(() => readFileSync(table, 'utf8').split('\n').slice(1), [])
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/)
    return state === LISTEN && own.has(inode) ? [Number.parseInt(local.slice(local.lastIndexOf(':') + 1), 16)] : []
  })
}

/** Returns the paths of the files that a process has open, and the names of its sockets. */
function openFilesOf(pid: string): string[] {
  const folder = `/proc/${pid}/fd`
  const descriptors = unlessGone(() => readdirSync(folder), [])
  return descriptors.flatMap((name) => unlessGone(() => [readlinkSync(`${folder}/${name}`)], []))
}

/** Reads what ends with the process, or is not for this user. */
function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** State of a socket that takes connections, as the kernel writes it (include/net/tcp_states.h). */
const LISTEN = '0A'
const SOCKET = /^socket:\[(\d+)\]$/

/**
 * Returns the TCP ports on which a process takes connections, in ascending order; none where the system does not tell.
 * Only Linux tells, and only of processes of this user: https://docs.kernel.org/networking/proc_net_tcp.html
 */
export function listeningPorts(pid: string): number[] {
  const own = new Set(linksIn(`/proc/${pid}/fd`).flatMap((link) => SOCKET.exec(link)?.[1] ?? []))
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

function linksIn(folder: string): string[] {
  const names = unlessGone(() => readdirSync(folder), [])
  return names.flatMap((name) => unlessGone(() => [readlinkSync(`${folder}/${name}`)], []))
}

/** Reads what ends with the process, or is not for this user. */
function unlessGone<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A name server that takes questions and never answers, and how a process is made to ask it alone. */
export interface SilentResolver {
  /** Runs the command behind it with a resolv.conf of its own; the machine keeps its own. */
  readonly wrapper: readonly string[]
  close(): void
}

/** Where others may have theirs, so that two of these can run at once. */
const ADDRESSES = Array.from({ length: 20 }, (_, i) => `127.0.0.${100 + i}`)

/**
 * Both of the system's resolvers, that of the C library and c-ares, read /etc/resolv.conf and nothing else that a
 * process could be given. A mount namespace of its own shows it another one, which takes root.
 * @returns null where this process may not do that
 */
export async function startSilentResolver(): Promise<SilentResolver | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const { socket, address } = await listening()
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-resolver-'))
  const file = join(folder, 'resolv.conf')
  writeFileSync(file, `nameserver ${address}\n`, { mode: 0o644 })
  return {
    wrapper: ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file],
    close() {
      socket.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A socket at the port of name servers, the only one that resolv.conf can name. @throws Error where none is free */
async function listening(): Promise<{ socket: Socket; address: string }> {
  let failure: unknown
  for (const address of ADDRESSES) {
    const socket = createSocket('udp4')
    try {
      socket.bind(53, address)
      await once(socket, 'listening')
      return { socket, address }
    } catch (error) {
      failure = error
      socket.close()
    }
  }
  throw failure
}

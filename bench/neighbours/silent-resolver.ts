import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A name server that receives questions but never answers, and a way to make a process use only this one. */
export interface SilentResolver {
  /** A command that runs another command with its own resolv.conf; the machine's file does not change. */
  readonly wrapper: readonly string[]
  close(): void
}

/** Addresses of name servers; there are several, so that two servers can run at once. */
const ADDRESSES = Array.from({ length: 20 }, (_, i) => `127.0.0.${100 + i}`)

/**
 * Starts a name server that never answers. The resolvers of the C library and of c-ares both read only
 * /etc/resolv.conf. So a separate mount namespace shows the process another file at that path, which needs root.
 * @returns null if this process lacks the permission
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

/**
 * Opens a socket on the name servers' port, because resolv.conf cannot name another.
 * @throws Error if no address is free
 */
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

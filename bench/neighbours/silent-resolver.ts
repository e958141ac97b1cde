import { createSocket } from 'node:dgram'
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

const ADDRESS = '127.0.0.53'

/**
 * Both of the system's resolvers, that of the C library and c-ares, read /etc/resolv.conf and nothing else that a
 * process could be given. A mount namespace of its own shows it another one, which takes root.
 * @returns null where this process may not do that
 */
export async function startSilentResolver(): Promise<SilentResolver | null> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return null
  const socket = createSocket('udp4')
  socket.bind(53, ADDRESS)
  await once(socket, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'knowledge-bench-resolver-'))
  const file = join(folder, 'resolv.conf')
  writeFileSync(file, `nameserver ${ADDRESS}\n`, { mode: 0o644 })
  return {
    wrapper: ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file],
    close() {
      socket.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

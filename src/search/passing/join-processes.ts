import type { ProcessPort } from '../../platform/processes/process-port.ts'
import type { SearchEngine } from '../engine.ts'
import { HolderServer } from './holder-server.ts'
import { type PassingOptions, PassingEngine } from './passing-engine.ts'

/** Searches in all processes of this machine, and what has to be closed after it. */
export interface SharedSearch {
  readonly engine: SearchEngine
  close(): Promise<void>
}

/**
 * Joins the processes that share tenants: passes searches on to them, and answers theirs.
 * @param warn told when the others cannot reach this process. It still reaches them
 */
export async function joinProcesses(
  port: ProcessPort,
  options: Omit<PassingOptions, 'own'>,
  warn: (error: unknown) => void,
): Promise<SharedSearch> {
  const engine = new PassingEngine({ ...options, own: port.number })
  const server = await HolderServer.listen(port.socket, options.engine).catch((error: unknown) => {
    warn(error)
    return null
  })
  if (server !== null) port.noteReachable()
  port.watchPeers((peers) => engine.setPeers(peers))
  return {
    engine,
    async close() {
      port.watchPeers(() => undefined)
      await Promise.all([engine.close(), server?.close()])
    },
  }
}

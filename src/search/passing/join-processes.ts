import type { ProcessPort } from '../../platform/processes/process-port.ts'
import type { EngineForRequests } from '../engine.ts'
import { HolderServer } from './holder-server.ts'
import { unixLine } from './line.ts'
import { type PassingOptions, PassingEngine } from './passing-engine.ts'

/** The engine that searches in all processes that share tenants. `close` ends its connections. */
export interface SharedSearch {
  readonly engine: EngineForRequests
  close(): Promise<void>
}

/**
 * Joins the processes of this machine that share tenants: passes searches on to them, and answers searches of theirs.
 * @param warn called with the error if this process cannot listen. It still passes searches on, but gets none
 */
export async function joinProcesses(
  port: ProcessPort,
  options: Omit<PassingOptions, 'own' | 'onTrouble'>,
  warn: (error: unknown) => void,
): Promise<SharedSearch> {
  const engine = new PassingEngine({ ...options, own: String(port.number) })
  const server = await HolderServer.listen(port.socket, options.engine, options.identity).catch((error: unknown) => {
    warn(error)
    return null
  })
  if (server !== null) port.noteReachable()
  port.watchPeers((peers) =>
    engine.setPeers(new Map([...peers].map(([number, path]) => [String(number), unixLine(path)]))),
  )
  return {
    engine,
    async close() {
      port.watchPeers(() => undefined)
      await Promise.all([engine.close(), server?.close()])
    },
  }
}

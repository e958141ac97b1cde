import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '../../config.ts'
import type { HolderServer } from './holder-server.ts'

const RETRY_MS = 500
/** Milliseconds in which a predecessor usually leaves the address. */
const PATIENCE_MS = 30_000

/**
 * Listens as soon as the address is free. When a process replaces another one, its predecessor keeps the address until
 * it has finished, and answers there meanwhile.
 */
export class PatientListener {
  readonly #closing = new AbortController()
  #listening: Promise<HolderServer | null>

  private constructor(listening: Promise<HolderServer | null>) {
    this.#listening = listening
  }

  /**
   * Listens, or begins to wait for the address.
   * @param onLate called once if the address is still taken after 30 seconds
   * @throws ConfigError when this machine does not have the address, or the user may not listen there
   */
  static async open(listen: () => Promise<HolderServer>, onLate: () => void): Promise<PatientListener> {
    try {
      return new PatientListener(Promise.resolve(await listen()))
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      if (code !== 'EADDRINUSE') {
        throw new ConfigError([`SEARCH_LISTEN must be an address that this process can listen on (${code ?? message})`])
      }
    }
    const listener = new PatientListener(Promise.resolve(null))
    listener.#listening = listener.#whenFree(listen, onLate)
    return listener
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await (await this.#listening)?.close()
  }

  /** Tries to listen until the address is free or the listener is closed. @returns null if it was closed */
  async #whenFree(listen: () => Promise<HolderServer>, onLate: () => void): Promise<HolderServer | null> {
    const { signal } = this.#closing
    for (let waitedMs = RETRY_MS; !signal.aborted; waitedMs += RETRY_MS) {
      await sleep(RETRY_MS, undefined, { ref: false, signal }).catch(() => undefined)
      const server = signal.aborted ? null : await listen().catch(() => null)
      if (server !== null) return server
      if (waitedMs === PATIENCE_MS) onLate()
    }
    return null
  }
}

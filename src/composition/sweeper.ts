import type { Database, Queries } from '../platform/database/database.ts'
import { deleteExpired } from '../identity/oauth/rules.ts'
import { removeUnusedClients } from '../identity/oauth/registration/unused-clients.ts'
import { purgeSessions } from '../identity/sessions/rules.ts'

const INTERVAL_MS = 600_000
const ROWS_A_TIME = 500
/** A client that registered itself and was not used for this long is removed. */
const UNUSED_CLIENT_MS = 30 * 86_400_000

interface Sweeper {
  sweep(now?: number): Promise<void>
  /** Resolves when a sweep that runs has ended, which it does before its next write. */
  close(): Promise<void>
}

/** Removes now and then what is over: sessions, tokens, codes and interactions, and clients nobody uses. */
export function startSweeper(
  database: Database,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
): Sweeper {
  const closing = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const bitByBit = async (remove: (tx: Queries) => Promise<number>): Promise<void> => {
    let removed = ROWS_A_TIME
    while (removed === ROWS_A_TIME && !closing.signal.aborted) removed = await database.write(remove)
  }
  const sweep = async (now: number = Date.now()): Promise<void> => {
    await bitByBit((tx) => deleteExpired(tx, now, ROWS_A_TIME))
    if (!closing.signal.aborted) await database.write((tx) => purgeSessions(tx, now))
    await bitByBit((tx) => removeUnusedClients(tx, now - UNUSED_CLIENT_MS, ROWS_A_TIME))
  }
  // One after the other, also when one takes longer than the time between two.
  const timer = setInterval(() => (running = running.then(() => sweep()).catch(onError)), intervalMs)
  timer.unref()
  return {
    sweep,
    close: () => {
      closing.abort()
      clearInterval(timer)
      return running
    },
  }
}

import type { Database, Queries } from '../platform/database/database.ts'
import { deleteExpired } from '../identity/oauth/rules.ts'
import { removeUnusedClients } from '../identity/oauth/registration/unused-clients.ts'
import { purgeSessions } from '../identity/sessions/rules.ts'
import { purgeDue } from '../knowledge/entries/bin/bin-rules.ts'

const INTERVAL_MS = 600_000
const BATCH_ROWS = 500
/** A client that registered itself and was not used for this long is removed. */
const UNUSED_CLIENT_MS = 30 * 86_400_000

interface Sweeper {
  sweep(now?: number): Promise<void>
  /** Resolves when a running sweep has ended; it ends before its next write. */
  close(): Promise<void>
}

/** Periodically removes expired sessions, tokens, codes and interactions, unused clients, and what is due in the bin. */
export function startSweeper(
  database: Database,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
): Sweeper {
  const closing = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const inBatches = async (remove: (tx: Queries) => Promise<number>): Promise<void> => {
    let removed = BATCH_ROWS
    while (removed === BATCH_ROWS && !closing.signal.aborted) removed = await database.write(remove)
  }
  const sweep = async (now: number = Date.now()): Promise<void> => {
    await inBatches((tx) => deleteExpired(tx, now, BATCH_ROWS))
    if (!closing.signal.aborted) await database.write((tx) => purgeSessions(tx, now))
    await inBatches((tx) => removeUnusedClients(tx, now - UNUSED_CLIENT_MS, BATCH_ROWS))
    let isMore = true
    while (isMore && !closing.signal.aborted) isMore = await database.write((tx) => purgeDue(tx, now))
  }
  // Sweeps never overlap, even when one takes longer than the interval.
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

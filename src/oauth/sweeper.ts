import type { Database } from '../database/database.ts'
import { deleteExpired, deleteUnusedClients } from './store.ts'

const INTERVAL_MS = 600_000
const ROWS_A_TIME = 500
/** A client that registered itself and was not used for this long is removed. */
const UNUSED_CLIENT_MS = 30 * 86_400_000

export interface Sweeper {
  sweep(): Promise<void>
  close(): void
}

/** Removes now and then what is over: expired tokens, codes and interactions, and clients nobody uses. */
export function oauthSweeper(database: Database, onError: (error: unknown) => void): Sweeper {
  const sweep = async (now: number = Date.now()): Promise<void> => {
    let removed = ROWS_A_TIME
    while (removed === ROWS_A_TIME) removed = await database.write((tx) => deleteExpired(tx, now, ROWS_A_TIME))
    await database.write((tx) => deleteUnusedClients(tx, now - UNUSED_CLIENT_MS))
  }
  const timer = setInterval(() => sweep().catch(onError), INTERVAL_MS)
  timer.unref()
  return { sweep, close: () => clearInterval(timer) }
}

import type { Database, Queries } from '../platform/database/database.ts'
import { forgetEndedRecords } from '../identity/oauth/rules.ts'
import { removeUnusedClients } from '../identity/oauth/registration/unused-clients.ts'
import { forgetEndedInvitations } from '../identity/invitations/end-rules.ts'
import { forgetEndedMail, type Outbox } from '../identity/mail/outbox.ts'
import { forgetEndedTokens } from '../identity/provider-logout/rules.ts'
import { forgetEndedResets } from '../identity/password-resets/end-rules.ts'
import { forgetEndedSessions } from '../identity/sessions/forget-rules.ts'
import { purgeDue } from '../knowledge/entries/bin/bin-rules.ts'
import { finishErasures } from './erase-user.ts'
import { Retention } from './retention.ts'

const INTERVAL_MS = 600_000
const BATCH_ROWS = 500
/** Age of the last use at which a client that registered itself is removed. */
const UNUSED_CLIENT_MS = 30 * 86_400_000

interface Sweeper {
  sweep(now?: number): Promise<void>
  /** Resolves when a running sweep has ended; it ends before its next write. */
  close(): Promise<void>
}

/**
 * Periodically removes expired sessions, tokens, codes and interactions, old invitations and links, unused clients,
 * entries of the bin that are due, and versions and audit records that tenants no longer keep. It also sends mail that
 * failed before, goes on with interrupted erasures, and empties SQLite's log of changes.
 * @param outbox null without mail
 */
export function startSweeper(
  database: Database,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
  outbox: Outbox | null = null,
): Sweeper {
  const closing = new AbortController()
  let running: Promise<void> = Promise.resolve()
  const retention = new Retention(database)
  const inBatches = async (remove: (tx: Queries) => Promise<number>): Promise<void> => {
    let removed = BATCH_ROWS
    while (removed === BATCH_ROWS && !closing.signal.aborted) removed = await database.write(remove)
  }
  const sweep = async (now: number = Date.now()): Promise<void> => {
    await inBatches((tx) => forgetEndedRecords(tx, now, BATCH_ROWS))
    if (!closing.signal.aborted) await database.write((tx) => forgetEndedSessions(tx, now))
    if (!closing.signal.aborted) {
      await database.write(async (tx) => {
        await forgetEndedInvitations(tx, now)
        await forgetEndedResets(tx, now)
        await forgetEndedMail(tx, now)
        await forgetEndedTokens(tx, now)
      })
    }
    await inBatches((tx) => removeUnusedClients(tx, now - UNUSED_CLIENT_MS, BATCH_ROWS))
    let isMore = true
    while (isMore && !closing.signal.aborted) isMore = await database.write((tx) => purgeDue(tx, now))
    if (!closing.signal.aborted) await finishErasures(database, now, () => closing.signal.aborted)
    if (!closing.signal.aborted) await outbox?.deliver()
    if (!closing.signal.aborted) await retention.sweep(now, () => closing.signal.aborted)
    if (!closing.signal.aborted) await database.emptyLog()
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

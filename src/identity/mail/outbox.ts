import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import * as store from './outbox-store.ts'

/** What it is sealed for. */
export const MAIL_SEAL = 'mail that waits'
/** Longer than an attempt takes (`transport.ts`); after a crash somebody tries again. */
const LEASE_MS = 120_000
const FIRST_PAUSE_MS = 60_000
const DOUBLINGS_MAX = 6

export interface Mail {
  readonly to: string
  readonly subject: string
  /** Plain text. */
  readonly text: string
}

export interface OutboxOptions {
  readonly database: Database
  readonly secrets: SecretBox
  readonly send: (mail: Mail) => Promise<void>
  readonly onError: (error: unknown) => void
  readonly now?: () => number
}

/**
 * Mail is stored with the change that it tells of, and sent after the commit, so that it is neither lost nor sent for
 * nothing. A crash right after sending may send it twice.
 */
export class Outbox {
  readonly #options: OutboxOptions
  readonly #now: () => number
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: OutboxOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
  }

  /** Stores a mail in the transaction. Call `wake` after the commit. */
  async put(tx: Tx, tenantId: string, mail: Mail, expiresAt: number): Promise<void> {
    const sealed = this.#options.secrets.seal(MAIL_SEAL, JSON.stringify(mail))
    const row = { tenant_id: tenantId, id: newId(), sealed, attempts: 0, next_at: this.#now(), expires_at: expiresAt }
    await store.insertMail(tx, row)
  }

  /** Begins to send what is due; no answer waits for it. */
  wake(): void {
    void this.deliver().catch(this.#options.onError)
  }

  /** How much mail waits to be sent. */
  waiting(): Promise<number> {
    return store.countMail(this.#options.database.queries, this.#now())
  }

  /** Sends what is due, one mail after the other. */
  async deliver(): Promise<void> {
    const run = this.#running.then(() => this.#sendDue())
    this.#running = run.catch(() => undefined)
    return run
  }

  /** Resolves when the mail that is being sent has gone. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#running
  }

  async #sendDue(): Promise<void> {
    const { database, secrets, send, onError } = this.#options
    while (!this.#isClosed) {
      const now = this.#now()
      const row = await database.write((tx) => store.takeDueMail(tx, now, now + LEASE_MS))
      if (row === null) return
      const text = secrets.open(MAIL_SEAL, row.sealed)
      try {
        // Sealed with another secret: nobody can read it any more.
        if (text !== null) await send(JSON.parse(text) as Mail)
      } catch (error) {
        onError(withoutAddresses(error))
        const pauseMs = FIRST_PAUSE_MS * 2 ** Math.min(row.attempts - 1, DOUBLINGS_MAX)
        await database.write((tx) => store.putOffMail(tx, row, this.#now() + pauseMs), row.tenant_id)
        continue
      }
      await database.write((tx) => store.deleteMail(tx, row), row.tenant_id)
    }
  }
}

/** Withdraws the mail of a tenant that still waits to be sent. */
export function withdrawMail(tx: Tx, tenantId: string): Promise<void> {
  return store.deleteMailOf(tx, tenantId)
}

/**
 * Forgets mail of all working tenants whose link has ended before it could be sent.
 * @param now milliseconds since 1970
 */
export function forgetEndedMail(tx: Queries, now: number): Promise<void> {
  return store.purgeMail(tx, now)
}

/** What went wrong, for the log: a server's words may repeat an address. */
function withoutAddresses(error: unknown): Error {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return new Error(`A mail could not be sent (${[code, responseCode].filter(Boolean).join(', ') || 'no reason given'})`)
}

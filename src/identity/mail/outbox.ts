import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import * as store from './outbox-store.ts'

/** Purpose that waiting mail is sealed for. */
export const MAIL_SEAL = 'mail that waits'
/** Time until a mail is due again when its attempt ends in a crash. An attempt takes less (`transport.ts`). */
const LEASE_MS = 120_000
/** Pause after the first failed attempt; every further one doubles it. */
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
 * Stores mail in the transaction of the change that it tells of, and sends it after the commit. So no mail is lost, and
 * none is sent for a change that failed. A crash right after sending may send a mail twice.
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

  /** Stores a mail in the transaction. Call `wake` after the commit. @param expiresAt when the mail's link ends */
  async put(tx: Tx, tenantId: string, mail: Mail, expiresAt: number): Promise<void> {
    const sealed = this.#options.secrets.seal(MAIL_SEAL, JSON.stringify(mail))
    const row = { tenant_id: tenantId, id: newId(), sealed, attempts: 0, next_at: this.#now(), expires_at: expiresAt }
    await store.insertMail(tx, row)
  }

  /** Begins to send the mails that are due, in the background. */
  wake(): void {
    void this.deliver().catch(this.#options.onError)
  }

  /** Counts the mails that wait to be sent. */
  waiting(): Promise<number> {
    return store.countMail(this.#options.database.queries, this.#now())
  }

  /** Sends the mails that are due, one after the other. */
  async deliver(): Promise<void> {
    const run = this.#running.then(() => this.#sendDue())
    this.#running = run.catch(() => undefined)
    return run
  }

  /** Stops the outbox. Resolves when the mail that is being sent is sent or has failed. */
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
        // A mail sealed with another secret cannot be opened, and is deleted below.
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
 * Deletes, of all working tenants, the mails whose link ended before they could be sent.
 * @param now milliseconds since 1970
 */
export function forgetEndedMail(tx: Queries, now: number): Promise<void> {
  return store.purgeMail(tx, now)
}

/** Returns an error for the log with the codes alone, because the message of a mail server may repeat an address. */
function withoutAddresses(error: unknown): Error {
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  return new Error(`A mail could not be sent (${[code, responseCode].filter(Boolean).join(', ') || 'no reason given'})`)
}

import { createHmac, randomBytes } from 'node:crypto'
import type { Database } from '../../platform/database/database.ts'
import { SecretFileError } from '../../platform/secret-file.ts'
import type { SecretBox } from '../../platform/secrets.ts'
import { clientAddress, clientNetwork } from '../../platform/throttling/client-address.ts'
import { queryKeyOf } from './query-key.ts'
import type { QueuedBatch, QueuedClick, QueuedSearch } from './queued.ts'
import { findSalt, insertSalt } from './salt-store.ts'
import type { LogBatch, NewClick, NewSearch } from './store.ts'

/** Time that a salt is used. Once it is deleted, the hashes of its period can no longer be traced to visitors. */
export const SALT_PERIOD_MS = 30 * 86_400_000
const SALT_BYTES = 32
/** Bytes of a hash: with 128 bits, two visitors never have the same one by chance. */
const HASH_BYTES = 16
/** Purpose that salts are sealed for. */
export const SALT_SEAL = 'visitor salt'

/** Returns the number of the salt period at a time. All tenants have the same periods, so that all processes agree. */
export function saltPeriodOf(at: number): number {
  return Math.floor(at / SALT_PERIOD_MS)
}

/**
 * Turns queued searches and clicks into rows: with query keys, and with hashes in place of visitors and their networks.
 * Each tenant has its own salt for the hashes, and a new one every 30 days.
 */
export class VisitorHashes {
  readonly #database: Database
  readonly #secrets: Pick<SecretBox, 'seal' | 'open'>
  readonly #onUnreadable: (error: Error) => void
  /** Salts of the current period by tenant; null for a salt that cannot be read. */
  #salts = new Map<string, Buffer | null>()
  #period = -1

  /** @param onUnreadable called when a salt can be neither opened nor made; rows then have no visitor */
  constructor(database: Database, secrets: Pick<SecretBox, 'seal' | 'open'>, onUnreadable: (error: Error) => void) {
    this.#database = database
    this.#secrets = secrets
    this.#onUnreadable = onUnreadable
  }

  /** Returns the rows of a batch. @throws when the database is away */
  async rowsOf({ searches, clicks }: QueuedBatch): Promise<LogBatch> {
    const rows = { searches: [] as NewSearch[], clicks: [] as NewClick[] }
    for (const search of searches) rows.searches.push(await this.#searchRow(search))
    for (const click of clicks) rows.clicks.push(await this.#clickRow(click))
    return rows
  }

  async #searchRow({ language, visitor_id: visitorId, ...row }: QueuedSearch): Promise<NewSearch> {
    const hash = visitorId === null ? null : await this.#hasherOf(row.tenant_id, row.at)
    return {
      ...row,
      query_key: row.query === null ? null : queryKeyOf(row.query, language),
      visitor: hash?.('visitor', visitorId!) ?? null,
    }
  }

  async #clickRow({ visitor_id: visitorId, ip, ...row }: QueuedClick): Promise<NewClick> {
    const hash = visitorId === null ? null : await this.#hasherOf(row.tenant_id, row.at)
    if (hash === null || ip === null) return { ...row, visitor: null, network: null }
    const network = clientNetwork(clientAddress(ip))
    return { ...row, visitor: hash('visitor', visitorId!), network: hash('network', network) }
  }

  /** Returns the hash function of a tenant at a time; null when there is no salt for it. */
  async #hasherOf(tenantId: string, at: number): Promise<((kind: string, text: string) => string) | null> {
    const period = saltPeriodOf(at)
    const salt = await this.#saltOf(tenantId, period)
    if (salt === null) return null
    return (kind, text) => {
      const hash = createHmac('sha256', salt).update(`${kind}\0${text}`).digest()
      return `${period}.${hash.subarray(0, HASH_BYTES).toString('base64url')}`
    }
  }

  async #saltOf(tenantId: string, period: number): Promise<Buffer | null> {
    if (period !== this.#period) {
      this.#salts = new Map()
      this.#period = period
    }
    const cached = this.#salts.get(tenantId)
    if (cached !== undefined) return cached
    const salt = await this.#agreedSalt(tenantId, period)
    if (salt !== undefined) this.#salts.set(tenantId, salt)
    return salt ?? null
  }

  /**
   * Returns the salt in the database, so that all processes have the same one. The first process that needs it makes
   * it.
   * @returns null when the salt cannot be read, undefined when the tenant does not exist
   */
  async #agreedSalt(tenantId: string, period: number): Promise<Buffer | null | undefined> {
    try {
      const find = () => findSalt(this.#database.queries, tenantId, period)
      const sealed = (await find()) ?? (await this.#makeSalt(tenantId, period), await find())
      if (sealed === undefined) return undefined
      const salt = this.#secrets.open(SALT_SEAL, sealed)
      if (salt !== null) return Buffer.from(salt, 'base64url')
      this.#onUnreadable(new Error('it was sealed with another SECRET_KEY'))
    } catch (error) {
      if (!(error instanceof SecretFileError)) throw error
      this.#onUnreadable(error)
    }
    return null
  }

  async #makeSalt(tenantId: string, period: number): Promise<void> {
    const sealed = this.#secrets.seal(SALT_SEAL, randomBytes(SALT_BYTES).toString('base64url'))
    await this.#database.write((tx) => insertSalt(tx, tenantId, period, sealed), tenantId)
  }
}

import { within } from '../platform/within.ts'
import type { SearchEngine } from './engine.ts'

/** Milliseconds from the beginning of a reading until a tenant's list is read again. */
const FRESH_MS = 5_000
/** Milliseconds from the beginning of its reading for which a list answers while a new one is read. */
const STALE_MS = 60_000
/** Milliseconds after which a caller that has no list does not wait for the engine. */
const PATIENCE_MS = 100
/** Most tenants that are remembered. */
const TENANTS_MAX = 1_000

/** Index and id of each document. */
type Documents = ReadonlySet<string>

const NO_READING: Promise<null> = Promise.resolve(null)

interface Remembered {
  /** When the last reading began, by the clock. */
  askedAt: number
  /** The last reading; null where the engine fails. */
  reading: Promise<Documents | null>
  /** The latest list that the engine gave; null before the first. */
  known: { readonly documents: Documents; readonly askedAt: number } | null
}

/**
 * Tells of single documents whether search leaves them out, without asking the engine about each of them. While a
 * tenant's list is read anew, callers get the last one (stale-while-revalidate, RFC 5861), so that only the first
 * reading holds them up.
 */
export class LeftOutView {
  readonly #engine: Pick<SearchEngine, 'status'>
  readonly #now: () => number
  readonly #tenants = new Map<string, Remembered>()

  /** @param now clock in milliseconds */
  constructor(engine: Pick<SearchEngine, 'status'>, now = (): number => performance.now()) {
    this.#engine = engine
    this.#now = now
  }

  /**
   * Tells whether search leaves a document out, as of the last seconds, or of the last minute where the tenant's list
   * was not asked for since. Of many documents of a tenant only the latest are known; false where the engine does not
   * answer.
   */
  async has(tenantId: string, index: string, id: string): Promise<boolean> {
    const { reading, known } = this.#listOf(tenantId)
    const isUsable = known !== null && this.#now() - known.askedAt < STALE_MS
    const late = (): Error => new Error('the engine does not answer')
    const documents = isUsable ? known.documents : await within(PATIENCE_MS, reading, late).catch(() => null)
    return documents?.has(keyOf(index, id)) ?? false
  }

  /** Returns what is remembered of a tenant, and begins another reading where the last one is too long ago. */
  #listOf(tenantId: string): Remembered {
    const askedAt = this.#now()
    const last = this.#tenants.get(tenantId)
    if (last !== undefined && askedAt - last.askedAt < FRESH_MS) return last
    this.#tenants.delete(tenantId)
    if (this.#tenants.size >= TENANTS_MAX) this.#tenants.delete(this.#tenants.keys().next().value!)
    const list: Remembered = last ?? { askedAt, reading: NO_READING, known: null }
    this.#tenants.set(tenantId, list)
    return Object.assign(list, { askedAt, reading: this.#read(tenantId, askedAt, list) })
  }

  /** Asks the engine, and keeps its list, also one that comes after a later reading has begun. @returns null where it fails */
  async #read(tenantId: string, askedAt: number, list: Remembered): Promise<Documents | null> {
    const status = await this.#engine.status(tenantId).catch(() => null)
    if (status === null) return null
    const documents = new Set(status.leftOutDocuments.map(({ index, id }) => keyOf(index, id)))
    if (askedAt > (list.known?.askedAt ?? Number.NEGATIVE_INFINITY)) list.known = { documents, askedAt }
    return documents
  }
}

function keyOf(index: string, id: string): string {
  return `${index} ${id}`
}

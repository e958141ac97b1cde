import { within } from '../platform/within.ts'
import type { SearchEngine } from './engine.ts'

/** Milliseconds for which a tenant's left-out documents are remembered. */
const REMEMBERED_MS = 5_000
/** Milliseconds after which a caller does not wait for the engine. */
const PATIENCE_MS = 100
/** Most tenants that are remembered. */
const TENANTS_MAX = 1_000

interface Remembered {
  readonly until: number
  /** Index and id of each document. */
  readonly documents: Promise<ReadonlySet<string>>
}

/** Tells of single documents whether search leaves them out, without asking the engine about each of them. */
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
   * Tells whether search leaves a document out, as of the last seconds. Of many documents of a tenant only the latest
   * are known; false where the engine does not answer.
   */
  async has(tenantId: string, index: string, id: string): Promise<boolean> {
    const late = (): Error => new Error('the engine does not answer')
    const documents = await within(PATIENCE_MS, this.#documentsOf(tenantId), late).catch(() => null)
    return documents?.has(keyOf(index, id)) ?? false
  }

  #documentsOf(tenantId: string): Promise<ReadonlySet<string>> {
    const now = this.#now()
    const remembered = this.#tenants.get(tenantId)
    if (remembered !== undefined && now < remembered.until) return remembered.documents
    this.#tenants.delete(tenantId)
    if (this.#tenants.size >= TENANTS_MAX) this.#tenants.delete(this.#tenants.keys().next().value!)
    const documents = this.#read(tenantId)
    this.#tenants.set(tenantId, { until: now + REMEMBERED_MS, documents })
    return documents
  }

  async #read(tenantId: string): Promise<ReadonlySet<string>> {
    const status = await this.#engine.status(tenantId).catch(() => null)
    return new Set(status?.leftOutDocuments.map(({ index, id }) => keyOf(index, id)))
  }
}

function keyOf(index: string, id: string): string {
  return `${index} ${id}`
}

/** Bytes that an entry takes besides its value: a key, a map entry and an object. */
const OVERHEAD_BYTES = 250
/** Default of the largest share of a cache that one value may take: a larger value would displace too many others. */
const SHARE_MAX = 1 / 64

interface CacheEntry<Value> {
  readonly tenantId: string
  readonly seq: number
  readonly model: string | null
  readonly value: Value
  readonly bytes: number
  /** Whether `get` returned the value since the cache last looked at this entry to make room. */
  isUsed: boolean
}

/**
 * Caches values made from documents that searches have shown. A value holds for one change of its document and one
 * model. Hits name their change, so the cache never answers a newer, older or hidden state. To make room, the cache
 * passes over its entries from the oldest on and drops those that were not used since the last pass (the CLOCK
 * algorithm: Corbató, A Paging Experiment with the Multics System, 1968).
 */
export class ClockCache<Value> {
  readonly #bytesMax: number
  readonly #bytesOf: (value: Value) => number
  readonly #shareMax: number
  /**
   * Entries by id, oldest first. If two tenants have the same id, as after a copy, only the one stored later is cached.
   */
  readonly #entries = new Map<string, CacheEntry<Value>>()
  #bytes = 0

  /** @param shareMax share of the bytes that one value may take */
  constructor(bytesMax: number, bytesOf: (value: Value) => number, shareMax = SHARE_MAX) {
    this.#bytesMax = bytesMax
    this.#bytesOf = bytesOf
    this.#shareMax = shareMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /**
   * Returns the cached value; null without one.
   * @param seq number of the change that the hit names
   * @param model model that the tenant searches with
   */
  get(tenantId: string, id: string, seq: number, model: string | null): Value | null {
    const entry = this.#entries.get(id)
    if (entry === undefined || entry.seq !== seq || entry.tenantId !== tenantId || entry.model !== model) return null
    entry.isUsed = true
    return entry.value
  }

  /** Caches a value, unless it is larger than the share of one value. */
  put(tenantId: string, id: string, seq: number, model: string | null, value: Value): void {
    const bytes = this.#bytesOf(value)
    if (bytes > this.#bytesMax * this.#shareMax) return
    this.#drop(id)
    this.#entries.set(id, { tenantId, seq, model, value, bytes: bytes + OVERHEAD_BYTES, isUsed: false })
    this.#bytes += bytes + OVERHEAD_BYTES
    while (this.#bytes > this.#bytesMax) this.#makeRoom()
  }

  #makeRoom(): void {
    const [id, oldest] = this.#entries.entries().next().value as [string, CacheEntry<Value>]
    if (!oldest.isUsed) return this.#drop(id)
    oldest.isUsed = false
    this.#entries.delete(id)
    this.#entries.set(id, oldest)
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id)
    if (entry === undefined) return
    this.#entries.delete(id)
    this.#bytes -= entry.bytes
  }
}

/** Beside the value: a key, a map entry and an object. */
const OVERHEAD_BYTES = 250
/** A larger value would displace too many others, unless a cache says otherwise. */
const SHARE_MAX = 1 / 64

interface Held<Value> {
  readonly tenantId: string
  readonly seq: number
  readonly model: string | null
  readonly value: Value
  readonly bytes: number
  /** Whether it was used since the cache last passed over it to make room. */
  isUsed: boolean
}

/**
 * What was made of documents that searches have shown. A value holds for one change of its document and one model. Hits
 * name their change, so the cache never answers a newer, older or hidden state. Values that were not used since the last
 * pass make room (the CLOCK algorithm: Corbató, A Paging Experiment with the Multics System, 1968).
 */
export class ClockCache<Value> {
  readonly #bytesMax: number
  readonly #bytesOf: (value: Value) => number
  readonly #shareMax: number
  /** By id, oldest first. If two tenants have the same id, as after a copy, the last one stored stays. */
  readonly #held = new Map<string, Held<Value>>()
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

  /** @param seq the change that the hit is from; `model` is the model that the tenant searches with */
  get(tenantId: string, id: string, seq: number, model: string | null): Value | null {
    const held = this.#held.get(id)
    if (held === undefined || held.seq !== seq || held.tenantId !== tenantId || held.model !== model) return null
    held.isUsed = true
    return held.value
  }

  put(tenantId: string, id: string, seq: number, model: string | null, value: Value): void {
    const bytes = this.#bytesOf(value)
    if (bytes > this.#bytesMax * this.#shareMax) return
    this.#drop(id)
    this.#held.set(id, { tenantId, seq, model, value, bytes: bytes + OVERHEAD_BYTES, isUsed: false })
    this.#bytes += bytes + OVERHEAD_BYTES
    while (this.#bytes > this.#bytesMax) this.#makeRoom()
  }

  #makeRoom(): void {
    const [id, oldest] = this.#held.entries().next().value as [string, Held<Value>]
    if (!oldest.isUsed) return this.#drop(id)
    oldest.isUsed = false
    this.#held.delete(id)
    this.#held.set(id, oldest)
  }

  #drop(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    this.#held.delete(id)
    this.#bytes -= held.bytes
  }
}

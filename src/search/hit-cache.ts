/** Beside the bytes: a key, a map entry and an object. */
const OVERHEAD_BYTES = 250
/** A larger document would displace too many others. */
const SHARE_MAX = 1 / 64

/** The hits of a search as JSON for its answer, and the ids shown. */
export interface WrittenHits {
  readonly ids: readonly string[]
  readonly json: Buffer
}

interface Held {
  readonly tenantId: string
  readonly seq: number
  readonly model: string | null
  readonly json: Buffer
  /** Whether it was used since the cache last passed over it to make room. */
  isUsed: boolean
}

/**
 * The JSON of documents that searches have shown, so the next search that finds one neither reads nor writes it again.
 * An entry holds for one change of the document and one model. Hits name their change, so the cache never answers a
 * newer, older or hidden state. Without it and the writers of hits, a search of 10,000 entries costs 1.4 to 1.8 times as
 * much processor time (`bench:search`). Entries that were not used since the last pass make room (the CLOCK algorithm:
 * Corbató, A Paging Experiment with the Multics System, 1968).
 */
export class HitCache {
  readonly #bytesMax: number
  /** By id, oldest first. If two tenants have the same id, as after a copy, the last one stored stays. */
  readonly #held = new Map<string, Held>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** @param seq the change that the hit is from; `model` is the model that the tenant searches with */
  get(tenantId: string, id: string, seq: number, model: string | null): Buffer | null {
    const held = this.#held.get(id)
    if (held === undefined || held.seq !== seq || held.tenantId !== tenantId || held.model !== model) return null
    held.isUsed = true
    return held.json
  }

  put(tenantId: string, id: string, seq: number, model: string | null, json: Buffer): void {
    if (json.length > this.#bytesMax * SHARE_MAX) return
    this.#drop(id)
    this.#held.set(id, { tenantId, seq, model, json, isUsed: false })
    this.#bytes += json.length + OVERHEAD_BYTES
    while (this.#bytes > this.#bytesMax) this.#makeRoom()
  }

  #makeRoom(): void {
    const [id, oldest] = this.#held.entries().next().value as [string, Held]
    if (!oldest.isUsed) return this.#drop(id)
    oldest.isUsed = false
    this.#held.delete(id)
    this.#held.set(id, oldest)
  }

  #drop(id: string): void {
    const held = this.#held.get(id)
    if (held === undefined) return
    this.#held.delete(id)
    this.#bytes -= held.json.length + OVERHEAD_BYTES
  }
}

/** Copies a text to bytes outside Node's pool: a small slice kept from the pool would keep its whole block alive. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

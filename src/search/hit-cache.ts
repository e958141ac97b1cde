/** Beside the bytes themselves: a key, a map's place and an object. */
const OVERHEAD_BYTES = 250
/** A document larger than this share of the cache would push out too many others. */
const SHARE_MAX = 1 / 64

/** The hits of a search as its answer has them, written as JSON, and the ids shown. */
export interface WrittenHits {
  readonly ids: readonly string[]
  readonly json: Buffer
}

interface Held {
  readonly tenantId: string
  readonly seq: number
  readonly model: string | null
  readonly json: Buffer
  /** Since it was last passed over when room was made. */
  isUsed: boolean
}

/**
 * The JSON of documents that searches showed, so that the next search that finds one neither reads nor writes it
 * anew. What is held is good for one change of the document and one model: a search hit names the change that
 * it was judged by, so nothing newer, older or now hidden is ever taken for it. Whatever was not used since the
 * last time round makes room (the CLOCK algorithm: Corbató, A Paging Experiment with the Multics System, 1968).
 */
export class HitCache {
  readonly #bytesMax: number
  /** By id, oldest first. Two tenants with the same id, as after a copy, take turns. */
  readonly #held = new Map<string, Held>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#bytes
  }

  /** @param seq the change the hit is from; `model` the one the tenant searches with */
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

/** A text as bytes to keep: not from Node's pool, of which a small slice that is kept would keep a whole block. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

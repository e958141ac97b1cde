/** Beside the bytes themselves: a key, a map's place and an object. */
const OVERHEAD_BYTES = 250
/** A document larger than this share of the cache would push out too many others. */
const SHARE_MAX = 1 / 64

interface Held {
  readonly seq: number
  readonly model: string | null
  readonly json: Buffer
}

/**
 * The JSON of documents that searches showed, so that the next search that finds one neither reads nor writes it
 * anew. What is held is good for one change of the document and one model: a search hit names the change that
 * it was judged by, so nothing newer, older or now hidden is ever taken for it. The documents used longest
 * ago make room.
 */
export class HitCache {
  readonly #bytesMax: number
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
    const key = keyOf(tenantId, id)
    const held = this.#held.get(key)
    if (held === undefined || held.seq !== seq || held.model !== model) return null
    this.#held.delete(key)
    this.#held.set(key, held)
    return held.json
  }

  put(tenantId: string, id: string, seq: number, model: string | null, json: Buffer): void {
    if (json.length > this.#bytesMax * SHARE_MAX) return
    const key = keyOf(tenantId, id)
    this.#drop(key)
    this.#held.set(key, { seq, model, json })
    this.#bytes += json.length + OVERHEAD_BYTES
    while (this.#bytes > this.#bytesMax) this.#drop(this.#held.keys().next().value as string)
  }

  #drop(key: string): void {
    const held = this.#held.get(key)
    if (held === undefined) return
    this.#held.delete(key)
    this.#bytes -= held.json.length + OVERHEAD_BYTES
  }
}

function keyOf(tenantId: string, id: string): string {
  return `${id} ${tenantId}`
}

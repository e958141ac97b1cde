import { ClockCache } from './clock-cache.ts'

/** The hits of a search as JSON for its answer, and the ids shown. */
export interface WrittenHits {
  readonly ids: readonly string[]
  readonly json: Buffer
}

/**
 * The JSON of documents that searches have shown, so the next search that finds one neither reads nor writes it again.
 * Without it and the writers of hits, a search of 10,000 entries costs 1.4 to 1.8 times as much processor time
 * (`bench:search`).
 */
export class HitCache extends ClockCache<Buffer> {
  constructor(bytesMax: number) {
    super(bytesMax, (json) => json.length)
  }
}

/** Copies a text to bytes outside Node's pool: a small slice kept from the pool would keep its whole block alive. */
export function ownBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

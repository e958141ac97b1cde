import { ClockCache } from './clock-cache.ts'
import type { WrittenDocument } from './written-document.ts'

/**
 * Keeps documents that searches have shown as JSON, so the next search that finds one neither reads nor writes it again.
 * Without it a search of 10,000 entries costs 1.4 to 1.8 times as much processor time (`bench:search`).
 */
export class HitCache extends ClockCache<WrittenDocument> {
  constructor(bytesMax: number) {
    super(bytesMax, ({ bytes }) => bytes)
  }
}

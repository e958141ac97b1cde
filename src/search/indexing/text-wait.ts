/**
 * The rule by which a search waits for texts, which both engines keep. Every search waits for the values up to its
 * watermark. For texts it waits a moment, unless more of them are due than are read in that time. A search that names a
 * write waits for the text of that write as long as the request says.
 */
import type { TextsWanted } from '../../platform/access/caller.ts'

/** Milliseconds after which a caller whose write has not reached the index is asked to try again. */
export const RETRY_MS = 1_000

/** Milliseconds that searches wait for texts. */
interface TextWaits {
  /** For the latest texts. */
  readonly freshMs: number
  /** For the text of a write that the request names without saying how long it waits. */
  readonly namedMs: number
}

/**
 * Tells whether a search names a write whose text an index does not have yet.
 * @param texts what the search waits for; absent for the latest texts
 * @param reached number up to which the index has the text of every change
 */
export function isNamedMissing(texts: TextsWanted | null | undefined, reached: number): boolean {
  return (texts?.watermark ?? 0) > reached
}

/** Returns for how many milliseconds a search waits for texts, from its start on. Parameters as `isNamedMissing`. */
export function textWaitMs(texts: TextsWanted | null | undefined, reached: number, waits: TextWaits): number {
  return isNamedMissing(texts, reached) ? (texts?.waitMs ?? waits.namedMs) : waits.freshMs
}

/**
 * Tells whether more texts are due than can be read while a search waits, so that waiting would be in vain.
 * @param count number of documents whose latest text is due
 * @param textMs milliseconds that the engine takes to read a text
 * @param waitMs milliseconds for which the search still may wait
 */
export function areTooManyDue(count: number, textMs: number, waitMs: number): boolean {
  return count * textMs > waitMs
}

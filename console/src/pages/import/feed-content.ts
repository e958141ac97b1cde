import type { FeedFault, RecordFault } from './feed-shared.js'

/** Request to the worker to read a file. */
export interface FeedOrder {
  readonly file: File
  readonly encoding: string
  /** Language of products that state none. */
  readonly language: string
}

/**
 * Reason why the rest of a feed was not read: it cannot be read, its kind is unknown, or most of its products are
 * unusable.
 */
export type FeedCut = FeedFault | 'unknown' | 'useless'

/** A feed as the service takes it. */
export interface FeedContent {
  /** JSON Lines, with one product a line. */
  readonly body: Blob
  /** Place in the file of each line of the body, counted from 1. */
  readonly places: readonly number[]
  /** End of each line of the body, in bytes. */
  readonly ends: readonly number[]
  /** Reasons by number of the line, counted from 1, for lines that stand for unreadable products. */
  readonly faults: ReadonlyMap<number, RecordFault>
  readonly unit: 'line' | 'product'
  readonly cut: FeedCut | null
  /** Number of products without an id, which no later import can recognise. */
  readonly unnamed: number
  /** Number of unreadable prices that became properties. */
  readonly unreadPrices: number
}

/**
 * Message of the worker: the share of the file that is read, from 0 to 1; the whole content; or that reading failed.
 */
export type FeedNews = { readonly share: number } | { readonly content: FeedContent } | { readonly failed: true }

/** Returns the text of a line of the body, counted from 1, without its line end. */
export function lineText({ body, ends }: FeedContent, line: number): Promise<string> {
  return body.slice(ends[line - 2] ?? 0, (ends[line - 1] ?? 1) - 1).text()
}

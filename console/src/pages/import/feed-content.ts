import type { FeedFault, RecordFault } from './feed-shared.js'

/** What the worker is asked to read. */
export interface FeedOrder {
  readonly file: File
  readonly encoding: string
  /** Of products that state none. */
  readonly language: string
}

/** Why the rest of a feed was not read: it cannot be, its kind is unknown, or most of it was of no use. */
export type FeedCut = FeedFault | 'unknown' | 'useless'

/** A feed as the service takes it. */
export interface FeedContent {
  /** One product a line. */
  readonly body: Blob
  /** Place in the file of each line of the body, counted from 1. */
  readonly places: readonly number[]
  /** Where each line of the body ends, in bytes. */
  readonly ends: readonly number[]
  /** Reasons by lines of the body that stand for what could not be read, counted from 1. */
  readonly faults: ReadonlyMap<number, RecordFault>
  readonly unit: 'line' | 'product'
  readonly cut: FeedCut | null
  /** Products that no later import can recognise. */
  readonly unnamed: number
  /** Prices that were kept as properties. */
  readonly unreadPrices: number
}

/** What the worker answers: how much is read, from 0 to 1, or all of it. */
export type FeedNews = { readonly share: number } | { readonly content: FeedContent } | { readonly failed: true }

/** The text of a line of the body, counted from 1, without its line end. */
export function lineText({ body, ends }: FeedContent, line: number): Promise<string> {
  return body.slice(ends[line - 2] ?? 0, (ends[line - 1] ?? 1) - 1).text()
}

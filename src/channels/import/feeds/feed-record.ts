/** Why one product of a feed cannot be read, for programs that say it in another language. */
export type RecordFault = 'notObject' | 'notJson' | 'tooLarge' | 'tooDeep' | 'cutRow'

/** One product of the file, or why it cannot be read. `line` counts from 1, in units of the feed's tally. */
export type FeedRecord =
  | { readonly line: number; readonly bytes: number; readonly record: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly bytes: number; readonly fault: string; readonly reason: RecordFault }

/** Why no more of a feed can be read. */
export type FeedFault = 'encoding' | 'notTable' | 'table' | 'cut' | 'xml' | 'gzip' | 'noProducts'

/** Tells that a feed cannot be read, or not to its end. */
export class UnusableFeed extends Error {
  override readonly name = 'UnusableFeed'
  readonly reason: FeedFault

  constructor(reason: FeedFault, message: string) {
    super(message)
    this.reason = reason
  }
}

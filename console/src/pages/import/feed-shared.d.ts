export type FeedFormat = 'json' | 'jsonl' | 'csv' | 'google-xml'
export type RecordFault = 'notObject' | 'notJson' | 'tooLarge' | 'tooDeep' | 'cutRow'
export type FeedFault = 'encoding' | 'notTable' | 'table' | 'cut' | 'xml' | 'gzip' | 'noProducts'

type FeedRecord = { readonly line: number; readonly bytes: number } & (
  | { readonly record: Readonly<Record<string, unknown>>; readonly reason?: undefined }
  | { readonly fault: string; readonly reason: RecordFault }
)

export class UnusableFeed extends Error {
  readonly reason: FeedFault
  constructor(reason: FeedFault, message: string)
}

export class LineTally {
  constructor(unit: 'line' | 'product')
  readonly unit: 'line' | 'product'
  line: number
  failed: number
  readonly isOver: boolean
}

export function formatOfName(path: string): FeedFormat | null
export function formatOfText(head: string): FeedFormat | null
export function unitOf(format: FeedFormat): 'line' | 'product'
export function readFeed(
  chunks: AsyncIterable<Uint8Array>,
  format: FeedFormat,
  encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord>
export function recordOf(
  record: Readonly<Record<string, unknown>>,
  rules: { readonly language?: string; readonly onUnreadPrice?: (text: string) => void },
): Record<string, unknown>

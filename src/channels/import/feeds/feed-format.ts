export const FEED_FORMATS = ['json', 'jsonl', 'csv', 'google-xml'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** Returns the format that a file's name tells, with or without `.gz`; null for other names. */
export function formatOfName(path: string): FeedFormat | null {
  const extension = /\.([a-z]+)$/.exec(path.toLowerCase().replace(/\.gz$/, ''))?.[1]
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl'
  if (extension === 'json') return 'json'
  if (extension === 'csv' || extension === 'tsv') return 'csv'
  return extension === 'xml' ? 'google-xml' : null
}

/** Returns the format that the beginning of a file tells; null when it tells none. */
export function formatOfText(head: string): FeedFormat | null {
  const text = head.replace(/^\uFEFF/, '').trimStart()
  if (text.startsWith('<')) return 'google-xml'
  if (text.startsWith('[')) return 'json'
  if (text.startsWith('{')) return 'jsonl'
  return /^[^\n]*[,;\t|][^\n]*\n/.test(text) ? 'csv' : null
}

/** Returns the unit in which messages count records: a JSON list and XML have no lines that help people. */
export function unitOf(format: FeedFormat): 'line' | 'product' {
  return format === 'jsonl' || format === 'csv' ? 'line' : 'product'
}

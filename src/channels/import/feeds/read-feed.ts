import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { csvRecords } from './csv.ts'
import type { FeedFormat } from './feed-format.ts'
import { type FeedRecord, UnusableFeed } from './feed-record.ts'
import { googleRecords } from './google-xml.ts'
import { jsonLineRecords, jsonListRecords } from './json.ts'

/** Unpacked bytes that a feed may have in a row without a product: a small gzip file can unpack to gigabytes. */
const SILENT_BYTES_MAX = 64 * 1_024 * 1_024

type Reader = (chunks: AsyncIterable<Buffer>, encoding: string, tally: LineTally) => AsyncGenerator<FeedRecord>

const READERS: Readonly<Record<FeedFormat, Reader>> = {
  json: jsonListRecords,
  jsonl: jsonLineRecords,
  csv: csvRecords,
  'google-xml': googleRecords,
}

/**
 * Reads the products of an unpacked feed. Only one product at a time is in memory.
 * @throws UnusableFeed when it cannot be read to its end, or too many bytes in a row contain no product
 */
export async function* readFeed(
  chunks: AsyncIterable<Buffer>,
  format: FeedFormat,
  encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord> {
  let silent = 0
  const bounded = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      silent += chunk.length
      if (silent > SILENT_BYTES_MAX) {
        const after = tally.line === 0 ? '' : `, after ${tally.unit} ${tally.line}`
        throw new UnusableFeed(
          'noProducts',
          `The file has more than ${SILENT_BYTES_MAX} bytes without a product${after}`,
        )
      }
      yield chunk
    }
  }
  for await (const record of READERS[format](bounded(), encoding, tally)) {
    silent = 0
    yield record
  }
}

import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { LineTally } from '../../../platform/lines/line-tally.ts'
import { CommandFailed, UsageError } from '../failure.ts'
import { csvRecords } from './csv.ts'
import { googleRecords } from './google-xml.ts'
import { jsonLineRecords, jsonListRecords } from './json.ts'

export const FEED_FORMATS = ['json', 'jsonl', 'csv', 'google-xml'] as const
export type FeedFormat = (typeof FEED_FORMATS)[number]

/** One product of the file, or why it cannot be read. `line` counts from 1, in units of the feed's tally. */
export type FeedRecord =
  | { readonly line: number; readonly bytes: number; readonly record: Readonly<Record<string, unknown>> }
  | { readonly line: number; readonly bytes: number; readonly fault: string }

export interface Feed {
  readonly format: FeedFormat
  readonly records: AsyncIterable<FeedRecord>
  /** Counts the lines or products of the feed. The reader of the records adds the failed ones. */
  readonly tally: LineTally
  /** How much of the file has been read, 0 to 1; null when its size is unknown. */
  fraction(): number | null
  /** Stops reading. */
  close(): void
}

/** Most unpacked bytes without a product: a small gzip file can contain gigabytes of nothing. */
const SILENT_BYTES_MAX = 64 * 1_024 * 1_024

type Reader = (chunks: AsyncIterable<Buffer>, encoding: string, tally: LineTally) => AsyncGenerator<FeedRecord>

const READERS: Readonly<Record<FeedFormat, Reader>> = {
  json: jsonListRecords,
  jsonl: jsonLineRecords,
  csv: csvRecords,
  'google-xml': googleRecords,
}

/**
 * Opens a feed, gzipped or not.
 * @param path `-` for standard input
 * @throws UsageError when the file does not exist, or its format cannot be detected
 */
export async function openFeed(path: string, format: FeedFormat | null, encoding: string): Promise<Feed> {
  const { stream, size } = open(path)
  let bytes = 0
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length
      yield chunk as Buffer
    }
  }
  const [head, rest] = await peek(unzipped(counted()))
  const known = format ?? formatOf(path) ?? guess(head)
  const tally = new LineTally(known === 'jsonl' || known === 'csv' ? 'line' : 'product')
  return {
    format: known,
    records: recordsOf(READERS[known], rest, encoding, tally),
    tally,
    fraction: () => (size === null || size === 0 ? null : Math.min(1, bytes / size)),
    close: () => void stream.destroy(),
  }
}

/** @throws CommandFailed when too many bytes in a row contain no product */
async function* recordsOf(
  read: Reader,
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord> {
  let silent = 0
  const bounded = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      silent += chunk.length
      if (silent > SILENT_BYTES_MAX) {
        const after = tally.line === 0 ? '' : `, after ${tally.unit} ${tally.line}`
        throw new CommandFailed(`The file has more than ${SILENT_BYTES_MAX} bytes without a product${after}`)
      }
      yield chunk
    }
  }
  for await (const record of read(bounded(), encoding, tally)) {
    silent = 0
    yield record
  }
}

function open(path: string): { stream: Readable; size: number | null } {
  if (path === '-') return { stream: process.stdin, size: null }
  try {
    const found = statSync(path)
    if (found.isDirectory()) throw new UsageError(`${path} is a folder; name a file`)
    return { stream: createReadStream(path), size: found.isFile() ? found.size : null }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(code === 'ENOENT' ? `There is no ${path}` : `Cannot read ${path} (${code})`)
  }
}

/** The first chunk, and all chunks including the first. */
async function peek(chunks: AsyncGenerator<Buffer>): Promise<[Buffer, AsyncGenerator<Buffer>]> {
  const first = await chunks.next()
  const head = first.done === true ? Buffer.alloc(0) : first.value
  const all = async function* (): AsyncGenerator<Buffer> {
    if (head.length > 0) yield head
    yield* chunks
  }
  return [head, all()]
}

/** Unpacks a stream that begins with gzip's magic number (RFC 1952). */
async function* unzipped(chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const [head, all] = await peek(chunks)
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* all
    return
  }
  const { Readable } = await import('node:stream')
  const source = Readable.from(all)
  const gunzip = createGunzip()
  source.on('error', (error) => gunzip.destroy(error))
  try {
    for await (const chunk of source.pipe(gunzip)) yield chunk as Buffer
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_') !== true) throw error
    throw new CommandFailed(`The gzip file is damaged: ${(error as Error).message}`)
  } finally {
    source.destroy()
  }
}

function formatOf(path: string): FeedFormat | null {
  const extension = /\.([a-z]+)$/.exec(path.toLowerCase().replace(/\.gz$/, ''))?.[1]
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl'
  if (extension === 'json') return 'json'
  if (extension === 'csv' || extension === 'tsv') return 'csv'
  return extension === 'xml' ? 'google-xml' : null
}

function guess(head: Buffer): FeedFormat {
  const text = head
    .toString('utf8', 0, 4_096)
    .replace(/^\uFEFF/, '')
    .trimStart()
  if (text.startsWith('<')) return 'google-xml'
  if (text.startsWith('[')) return 'json'
  if (text.startsWith('{')) return 'jsonl'
  if (/^[^\n]*[,;\t|][^\n]*\n/.test(text)) return 'csv'
  throw new UsageError(`The format of the file cannot be detected; set --format ${FEED_FORMATS.join('|')}`)
}

import { createReadStream, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { LineTally } from '../../../platform/lines/line-tally.ts'
import { FEED_FORMATS, type FeedFormat, formatOfName, formatOfText, unitOf } from '../../import/feeds/feed-format.ts'
import { type FeedRecord, UnusableFeed } from '../../import/feeds/feed-record.ts'
import { readFeed } from '../../import/feeds/read-feed.ts'
import type { CommandCall } from '../command-call.ts'
import { UsageError } from '../failure.ts'

export interface Feed {
  readonly format: FeedFormat
  readonly records: AsyncIterable<FeedRecord>
  /** Counts the lines or products of the feed. The consumer of `records` adds the failed ones. */
  readonly tally: LineTally
  /** Returns the part of the file that was read, 0 to 1; null when its size is unknown. */
  fraction(): number | null
  /** Stops reading. */
  close(): void
}

/**
 * Opens a feed, gzipped or not.
 * @param path `-` for standard input
 * @throws UsageError when the file does not exist, or its format cannot be detected
 */
export async function openFeed(
  path: string,
  format: FeedFormat | null,
  encoding: string,
  call: Pick<CommandCall, 'stdin'>,
): Promise<Feed> {
  const { stream, size } = open(path, call)
  let bytes = 0
  const countBytes = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length
      yield chunk as Buffer
    }
  }
  const [head, rest] = await peek(unzipped(countBytes()))
  const feedFormat = format ?? formatOfName(path) ?? guess(head)
  const tally = new LineTally(unitOf(feedFormat))
  return {
    format: feedFormat,
    records: readFeed(rest, feedFormat, encoding, tally),
    tally,
    fraction: () => (size === null || size === 0 ? null : Math.min(1, bytes / size)),
    close: () => void stream.destroy(),
  }
}

function open(path: string, call: Pick<CommandCall, 'stdin'>): { stream: Readable; size: number | null } {
  if (path === '-') return { stream: call.stdin, size: null }
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) throw new UsageError(`${path} is a folder; name a file`)
    return { stream: createReadStream(path), size: stats.isFile() ? stats.size : null }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new UsageError(code === 'ENOENT' ? `There is no ${path}` : `Cannot read ${path} (${code})`)
  }
}

/** Returns the first chunk, and then all chunks including the first. */
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
    throw new UnusableFeed('gzip', `The gzip file is damaged: ${(error as Error).message}`)
  } finally {
    source.destroy()
  }
}

function guess(head: Buffer): FeedFormat {
  const format = formatOfText(head.toString('utf8', 0, 4_096))
  if (format !== null) return format
  throw new UsageError(`The format of the file cannot be detected; set --format ${FEED_FORMATS.join('|')}`)
}

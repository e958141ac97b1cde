// First: the readers need it.
import { Buffer } from './feed-buffer.ts'
import type { FeedContent, FeedCut, FeedNews, FeedOrder } from './feed-content.ts'
import {
  type FeedFormat,
  formatOfName,
  formatOfText,
  LineTally,
  type RecordFault,
  readFeed,
  recordOf,
  UnusableFeed,
  unitOf,
} from './feed-shared.js'

const REPORT_EVERY_MS = 100
/** Bytes of lines that are joined before the browser stores them outside of the program's memory. */
const PIECE_BYTES = 1_024 * 1_024

const say = (news: FeedNews): void => postMessage(news)

// Reading runs in a thread of its own, since a page that reads 50,000 products would stand still.
addEventListener('message', ({ data }: MessageEvent<FeedOrder>) => {
  read(data).then(
    (content) => say({ content }),
    () => say({ failed: true }),
  )
})

async function read({ file, encoding, language }: FeedOrder): Promise<FeedContent> {
  let readBytes = 0
  let reportedAt = 0
  const countedStream = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        readBytes += chunk.length
        controller.enqueue(chunk)
      },
    }),
  )
  const magic = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  const isZipped = magic[0] === 0x1f && magic[1] === 0x8b
  const chunks = chunksOf(isZipped ? countedStream.pipeThrough(new DecompressionStream('gzip')) : countedStream)
  const first = await chunks.next().catch((error: unknown) => ({ error }))
  const out = new FeedBody()
  if ('error' in first) return out.content('product', cutOf(first.error), 0, 0)
  const head = first.done === true ? '' : new TextDecoder().decode(first.value.subarray(0, 4_096))
  const format: FeedFormat | null = formatOfName(file.name) ?? formatOfText(head)
  if (format === null) return out.content('product', 'unknown', 0, 0)
  const tally = new LineTally(unitOf(format))
  const allChunks = async function* (): AsyncGenerator<Buffer> {
    if (first.done !== true) yield first.value
    yield* chunks
  }
  let unnamed = 0
  let unreadPrices = 0
  const rules = { language, onUnreadPrice: () => void unreadPrices++ }
  let cut: FeedCut | null = null
  try {
    for await (const each of readFeed(allChunks(), format, encoding, tally)) {
      if (each.reason === undefined) {
        const product = recordOf(each.record, rules)
        if (product.external_id === undefined) unnamed++
        const hash = product.sync_hash ?? (await hashOf(product))
        out.add(each.line, JSON.stringify(hash === null ? product : { ...product, sync_hash: hash }))
      } else {
        tally.failed++
        // The service refuses an empty product, and then knows that a full sync may retire nothing.
        out.add(each.line, '{}', each.reason)
      }
      if (tally.isOver) {
        cut = 'useless'
        break
      }
      if (performance.now() - reportedAt < REPORT_EVERY_MS) continue
      reportedAt = performance.now()
      say({ share: file.size === 0 ? 1 : readBytes / file.size })
    }
  } catch (error) {
    cut = cutOf(error)
  }
  return out.content(tally.unit, cut, unnamed, unreadPrices)
}

/** Collects the lines for the service. */
class FeedBody {
  readonly #places: number[] = []
  readonly #ends: number[] = []
  readonly #faults = new Map<number, RecordFault>()
  readonly #pieces: Blob[] = []
  #lines: Uint8Array<ArrayBuffer>[] = []
  #waiting = 0
  #bytes = 0

  add(place: number, text: string, fault?: RecordFault): void {
    const line = new TextEncoder().encode(`${text}\n`)
    this.#bytes += line.length
    this.#waiting += line.length
    this.#lines.push(line)
    this.#places.push(place)
    this.#ends.push(this.#bytes)
    if (fault !== undefined) this.#faults.set(this.#places.length, fault)
    if (this.#waiting >= PIECE_BYTES) this.#join()
  }

  content(unit: FeedContent['unit'], cut: FeedCut | null, unnamed: number, unreadPrices: number): FeedContent {
    this.#join()
    const body = new Blob(this.#pieces)
    return { body, places: this.#places, ends: this.#ends, faults: this.#faults, unit, cut, unnamed, unreadPrices }
  }

  #join(): void {
    this.#pieces.push(new Blob(this.#lines))
    this.#lines = []
    this.#waiting = 0
  }
}

/** Yields the bytes of a stream. @throws UnusableFeed when a packed file is damaged */
async function* chunksOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Buffer> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw error instanceof TypeError ? new UnusableFeed('gzip', 'The gzip file is damaged') : error
    })
    if (done) return
    yield Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
}

/** Returns the reason of an unusable feed. @throws any other error */
function cutOf(error: unknown): FeedCut {
  if (error instanceof UnusableFeed) return error.reason
  throw error
}

/**
 * Returns the hash by which the command line skips unchanged products; null where the browser has no hashes, outside of
 * HTTPS.
 */
async function hashOf(product: Readonly<Record<string, unknown>>): Promise<string | null> {
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (subtle === undefined) return null
  const bytes = await subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(product)))
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

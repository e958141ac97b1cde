import { Readable } from 'node:stream'
import { Pool } from 'undici'
import { now } from './searches.ts'

const PATIENCE_MS = 30 * 60_000
const CHUNK_BYTES = 64 * 1_024
const NEW_LINE = 10

/** Lines of a push, ready to be sent. */
export interface Feed {
  readonly lines: number
  readonly chunks: readonly { readonly bytes: Buffer; readonly lines: number }[]
}

/** Serializes lines before the measurement, so that the push takes little processor time beside the service. */
export function feedOf(lines: Iterable<string>): Feed {
  const chunks: { bytes: Buffer; lines: number }[] = []
  let text = ''
  let count = 0
  let total = 0
  const flush = (): void => {
    if (count > 0) chunks.push({ bytes: Buffer.from(text), lines: count })
    text = ''
    count = 0
  }
  for (const line of lines) {
    text += `${line}\n`
    count++
    total++
    if (text.length >= CHUNK_BYTES) flush()
  }
  flush()
  return { lines: total, chunks }
}

/** How far a push is. */
export interface PushProgress {
  /** Lines that were given to the connection. */
  sent: number
  /** Lines that were answered. */
  acknowledged: number
}

/** A push that was answered to its end. */
export interface Pushed {
  readonly began: number
  readonly ended: number
  /** Status of the answer. */
  readonly status: number
  /** Number of lines by their results. */
  readonly results: Readonly<Record<string, number>>
  /** Answer of the first line that failed, or of a push that was refused; null without one. */
  readonly failure: string | null
}

/**
 * Pushes lines as one request.
 * @param progress is kept up to date
 */
export async function push(
  { url, key }: { readonly url: string; readonly key: string },
  path: string,
  { chunks }: Feed,
  progress: PushProgress = { sent: 0, acknowledged: 0 },
): Promise<Pushed> {
  const pool = new Pool(url, { connections: 1, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
  const sending = function* (): Generator<Buffer> {
    for (const { bytes, lines } of chunks) {
      progress.sent += lines
      yield bytes
    }
  }
  try {
    const began = now()
    const answer = await pool.request({
      method: 'POST',
      path,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
      body: Readable.from(sending(), { highWaterMark: 1 }),
    })
    const received: Buffer[] = []
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      received.push(chunk)
      for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) progress.acknowledged++
    }
    const ended = now()
    const text = Buffer.concat(received).toString()
    const failure = answer.statusCode === 200 ? (/^.*"status":"(?:failed|ended)".*$/m.exec(text)?.[0] ?? null) : text
    return { began, ended, status: answer.statusCode, results: resultsOf(text), failure }
  } finally {
    await pool.close()
  }
}

/** Pushes lines. @throws Error when one was not stored */
export async function pushAll(...parameters: Parameters<typeof push>): Promise<Pushed> {
  const pushed = await push(...parameters)
  const { status, results, failure } = pushed
  if (failure !== null) throw new Error(`The push answered ${status}, ${JSON.stringify(results)}: ${failure}`)
  return pushed
}

function resultsOf(text: string): Record<string, number> {
  const results: Record<string, number> = {}
  for (const [, status] of text.matchAll(/"status":"?(\w+)/g)) results[status] = (results[status] ?? 0) + 1
  delete results.finished
  return results
}

import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { request } from 'undici'

interface Sent {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal
}

interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const DECODED = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }

/**
 * Sends one request and reads its whole answer, decoded where it is compressed. `fetch` adds streams around the same
 * client. They cost more than many of these requests cost the service. Rejects when the connection breaks.
 */
export async function send(url: string, { method, headers, body, signal }: Sent): Promise<Reply> {
  const answer = await request(url, { method, headers, body, signal })
  const coding = answer.headers['content-encoding'] as keyof typeof DECODED | undefined
  const text =
    coding === undefined
      ? await answer.body.text()
      : DECODED[coding](Buffer.from(await answer.body.arrayBuffer())).toString()
  const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  return { status: answer.statusCode, headers: new Headers(pairs), text }
}

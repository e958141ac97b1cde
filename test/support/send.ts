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

/**
 * Sends one request and reads its whole answer. `fetch` adds streams around the same client, which cost more than many
 * of these requests cost the service. Rejects when the connection breaks.
 */
export async function send(url: string, { method, headers, body, signal }: Sent): Promise<Reply> {
  const answer = await request(url, { method, headers, body, signal })
  const text = await answer.body.text()
  const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  return { status: answer.statusCode, headers: new Headers(pairs), text }
}

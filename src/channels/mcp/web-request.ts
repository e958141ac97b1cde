import type { IncomingMessage } from 'node:http'

/** The SDK looks at no more of it than its path; `Host` is what a client likes, and might be no part of an address. */
const BASE = 'http://localhost'

/** A request as the SDK takes it: without its body, which the HTTP frame has read and hands over as a value. */
export function webRequest(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  signal: AbortSignal,
): Request {
  const fields = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  )
  return new Request(BASE + url, { method, headers: fields, signal })
}

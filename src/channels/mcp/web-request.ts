import type { IncomingMessage } from 'node:http'

/** Origin of the request for the SDK, which reads only the path. The Host header may not be valid in an address. */
const BASE = 'http://localhost'

/** Returns the request as the web `Request` that the SDK takes. It has no body: the HTTP frame has already read it. */
export function webRequest(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  signal: AbortSignal,
): Request {
  const fields = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  )
  return new Request(BASE + url, { method, headers: fields, signal })
}

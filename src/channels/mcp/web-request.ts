import type { IncomingMessage } from 'node:http'

/** The SDK reads only the path. The Host header may be anything, even text that is not valid in an address. */
const BASE = 'http://localhost'

/** The request as the web `Request` that the SDK takes. It has no body: the HTTP frame has already read it. */
export function webRequest(
  { method, url, headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  signal: AbortSignal,
): Request {
  const fields = Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  )
  return new Request(BASE + url, { method, headers: fields, signal })
}

const READ_MS = 30_000
const WRITE_MS = 60_000

/** Requests that ask with a body and change nothing. */
const ASKING = /\/(search|rich-search|browse|preview|missing|suggest)$/

/** Requests that last as long as what they carry: imports, and what the service does with many things at once. */
const LASTING = /\/(bulk|bulk-delete|merge|queries)$|^\/api\/operator\/tenants\//

/** What a limit goes by. */
type Asked = Pick<Request, 'method' | 'url'>

/** Whether a request changes nothing. */
export const isReading = ({ method, url }: Asked): boolean =>
  method === 'GET' || method === 'HEAD' || ASKING.test(new URL(url).pathname)

/**
 * How long a request may take, from its first byte to the last of its answer, in ms; null for as long as it wants. A
 * connection that hangs tells nobody that it does.
 */
export function timeLimitMs(asked: Asked): number | null {
  if (isReading(asked)) return READ_MS
  return LASTING.test(new URL(asked.url).pathname) ? null : WRITE_MS
}

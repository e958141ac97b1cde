const READ_MS = 30_000
const WRITE_MS = 60_000

/** Routes that only read although their requests have a body. */
const ASKING = /\/(search|rich-search|browse|preview|missing|suggest)$/

/** Routes whose time grows with the data they carry: imports, and work of the service on many things at once. */
const LASTING = /\/(bulk|bulk-delete|merge|queries)$|^\/api\/operator\/tenants\//

/** Part of a request that decides its time limit. */
type Limited = Pick<Request, 'method' | 'url'>

/** Tells whether a request changes nothing. */
export const isReading = ({ method, url }: Limited): boolean =>
  method === 'GET' || method === 'HEAD' || ASKING.test(new URL(url).pathname)

/**
 * Returns the time that a request may take, from its first byte to the last of its answer, in ms; null for no limit.
 * Without a limit a connection that hangs would never be noticed.
 */
export function timeLimitMs(request: Limited): number | null {
  if (isReading(request)) return READ_MS
  return LASTING.test(new URL(request.url).pathname) ? null : WRITE_MS
}

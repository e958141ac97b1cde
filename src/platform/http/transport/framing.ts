import type { IncomingMessage } from 'node:http'
import {
  BAD_FRAMING,
  BAD_HOST,
  BAD_TARGET,
  ENCODED,
  EXPECTATION_FAILED,
  type Refusal,
  UNKNOWN_CODING,
  UNKNOWN_VERSION,
} from '../errors.ts'

/**
 * Matches a host and port by their characters (RFC 3986, section 3.2.2), up to the length of a name (RFC 1035) and
 * `:65535`.
 */
const HOST = /^[\w.\-~%!$&'()*+,;=:[\]]{0,261}$/
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/** Returns the first HTTP fault that Node's parser accepts; null when there is none. */
export function framingFault(raw: IncomingMessage): Refusal | null {
  const { headers, httpVersionMajor, httpVersionMinor } = raw
  if (httpVersionMajor !== 1) return UNKNOWN_VERSION
  if (!isHostGood(raw)) return BAD_HOST
  const target = raw.url as string
  if (target[0] !== '/' && !isForHost(target, headers.host)) return BAD_TARGET
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') return EXPECTATION_FAILED
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return ENCODED
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    // RFC 9112, section 6.1: in HTTP/1.0 the end of such a body is ambiguous.
    if (httpVersionMinor === 0) return BAD_FRAMING
    if (coding.toLowerCase() !== 'chunked') return UNKNOWN_CODING
  }
  return null
}

/**
 * Tells whether a request has exactly one valid host, or in HTTP/1.0 at most one (RFC 9112, section 3.2). Of several
 * hosts Node keeps the first, but a proxy may have used the last.
 */
function isHostGood({ headers: { host }, rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  if (host === undefined) return httpVersionMinor === 0
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i].length === 4 && rawHeaders[i].toLowerCase() === 'host') count++
  }
  return count === 1 && HOST.test(host)
}

/**
 * Tells whether an absolute target names the same host as the header. Otherwise a proxy and the service could see
 * different tenants.
 */
function isForHost(target: string, host = ''): boolean {
  const named = ABSOLUTE.exec(target)?.[1]
  return named === undefined || named.toLowerCase() === host.toLowerCase()
}

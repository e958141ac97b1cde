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
 * The characters of a host and its port (RFC 3986, section 3.2.2), as many as a name may have (RFC 1035) and `:65535`.
 */
const HOST = /^[\w.\-~%!$&'()*+,;=:[\]]{0,261}$/
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/** What is wrong with a request as HTTP that Node's parser lets through; null when nothing is. */
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
    // RFC 9112, section 6.1: where such a body ends in HTTP/1.0 is anybody's guess.
    if (httpVersionMinor === 0) return BAD_FRAMING
    if (coding.toLowerCase() !== 'chunked') return UNKNOWN_CODING
  }
  return null
}

/**
 * One host, or none in HTTP/1.0 (RFC 9112, section 3.2). Node keeps the first of several, a proxy may have read the
 * last.
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
 * Whether a target in absolute form names the host that the header names: which tenant is meant must not depend on who
 * reads.
 */
function isForHost(target: string, host = ''): boolean {
  const named = ABSOLUTE.exec(target)?.[1]
  return named === undefined || named.toLowerCase() === host.toLowerCase()
}

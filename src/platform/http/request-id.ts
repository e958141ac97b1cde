import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const PLAUSIBLE = /^[\w.-]{1,64}$/

/**
 * Returns a function that gives each request the id that its sender sent, if it is well formed, or a new one that no
 * other process uses.
 */
export function requestIds(): (raw: IncomingMessage) => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return (raw) => {
    const sent = raw.headers['x-request-id']
    if (typeof sent === 'string' && PLAUSIBLE.test(sent)) return sent
    return `${process}-${(++count).toString(36)}`
  }
}

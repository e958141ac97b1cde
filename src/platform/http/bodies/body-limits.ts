import type { RouteOptions } from 'fastify'
import { LINE_BYTES_MAX } from '../../lines/ndjson.ts'

/** Most bytes of a body, unless the service is made with another limit. */
export const BODY_BYTES_MAX = LINE_BYTES_MAX

/**
 * Most bytes of a body that a sender without a credential may send, or that no route reads: requests that sign in or
 * register are short.
 */
export const OPEN_BODY_BYTES_MAX = 16_384

/**
 * Tells whether a route gets `OPEN_BODY_BYTES_MAX`: senders without a credential reach it, or it has no use for a body.
 */
export function isOpen({ config = {}, method }: Pick<RouteOptions, 'config' | 'method'>): boolean {
  return config.public === true || config.optional !== undefined || config.bestEffort === true || method === 'DELETE'
}

import type { RouteOptions } from 'fastify'
import { LINE_BYTES_MAX } from '../../lines/ndjson.ts'

/** Of a body, unless the service is made with another limit. */
export const BODY_BYTES_MAX = LINE_BYTES_MAX

/**
 * Of a body that somebody without a credential may send, or that nobody asks for: what signs in or registers is short.
 */
export const OPEN_BODY_BYTES_MAX = 16_384

/** Whether a body could be sent without a credential, or without any use. */
export function isOpen({ config = {}, method }: Pick<RouteOptions, 'config' | 'method'>): boolean {
  return config.public === true || config.optional !== undefined || config.bestEffort === true || method === 'DELETE'
}

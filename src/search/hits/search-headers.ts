import type { FastifyReply } from 'fastify'
import type { SearchFacts } from './search-facts.ts'

/**
 * Sets the headers of a search's answer: its id and its times, and, where they apply, that the query got no vector and
 * that the engine ranked only a part of the qualified documents.
 */
export function searchHeaders(reply: FastifyReply, { logId, timing, degraded, isExact }: SearchFacts): void {
  const parts = Object.entries(timing).map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`)
  reply.header('server-timing', parts.join(', '))
  reply.header('x-search-log-id', logId)
  if (degraded) reply.header('x-search-degraded', 'embedding')
  if (!isExact) reply.header('x-search-exact', 'false')
}

import type { FastifyReply } from 'fastify'
import type { SearchFacts } from './search-facts.ts'

/** What every search tells in its headers: its id, where the time went, and whether meaning had no part in it. */
export function searchHeaders(reply: FastifyReply, { logId, timing, degraded }: SearchFacts): void {
  const parts = Object.entries(timing).map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`)
  reply.header('server-timing', parts.join(', '))
  reply.header('x-search-log-id', logId)
  if (degraded) reply.header('x-search-degraded', 'embedding')
}

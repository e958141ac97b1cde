import type { FastifyReply } from 'fastify'
import type { SearchFacts } from './search-facts.ts'

/** Sets the headers of every search: its id, its times, whether it ran without its part by meaning, and whether it took only a part of what can be found. */
export function searchHeaders(reply: FastifyReply, { logId, timing, degraded, isExact }: SearchFacts): void {
  const parts = Object.entries(timing).map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`)
  reply.header('server-timing', parts.join(', '))
  reply.header('x-search-log-id', logId)
  if (degraded) reply.header('x-search-degraded', 'embedding')
  if (!isExact) reply.header('x-search-exact', 'false')
}

import type { FastifyReply } from 'fastify'
import { behindFor, type SearchFacts } from './search-facts.ts'

/**
 * Sets the headers of a search's answer: its id and its times, and, where they apply, that the query got no vector,
 * that the engine ranked only a part of the qualified documents, and that it lacks the latest texts.
 */
export function searchHeaders(reply: FastifyReply, { logId, timing, degraded, isExact, behind }: SearchFacts): void {
  const parts = Object.entries(timing).map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`)
  reply.header('server-timing', parts.join(', '))
  reply.header('x-search-log-id', logId)
  if (degraded) reply.header('x-search-degraded', 'embedding')
  if (!isExact) reply.header('x-search-exact', 'false')
  sayBehind(reply, behind)
}

/** Says that an answer lacks the latest texts of some documents. */
export function sayBehind(reply: FastifyReply, behind: number | undefined): void {
  if (behind !== undefined) reply.header('x-search-behind', String(behindFor(reply.request.caller, behind)))
}

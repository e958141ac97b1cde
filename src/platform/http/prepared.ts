import type { FastifyReply } from 'fastify'

/**
 * Answers with JSON bytes that skip the serialiser. The calling code ensures that they contain only what the contract
 * declares.
 */
export function sendPrepared(reply: FastifyReply, json: Buffer): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(json)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../../platform/faults.ts'
import { sendError } from '../../../platform/http/errors.ts'
import { OAuthRefusal } from './refusal.ts'

/** Answers a refusal of the protocol in the protocol's words, and everything else as on every route. */
export function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof OAuthRefusal)) return sendError(error, request, reply)
  send(reply, error)
}

/** The same for endpoints that clients authenticate at: a bad API key is a client that failed to. */
export function sendClientError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const isCredential = error instanceof Fault && error.kind === 'unauthorized'
  sendOAuthError(isCredential ? new OAuthRefusal(401, 'invalid_client', error.details[0].msg) : error, request, reply)
}

function send(reply: FastifyReply, { status, code, description }: OAuthRefusal): void {
  if (status === 401) reply.header('www-authenticate', `Bearer error="${code}"`)
  reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ error: code, ...(description === undefined ? {} : { error_description: description }) }))
}

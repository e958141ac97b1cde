import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../../platform/faults.ts'
import { sendError } from '../../../platform/http/errors.ts'
import { OAuthRefusal } from './refusal.ts'

/** Answers an OAuthRefusal in the format of the protocol, and other errors as every route does. */
export function sendOAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof OAuthRefusal)) return sendError(error, request, reply)
  send(reply, error)
}

/** Answers errors like `sendOAuthError` where clients authenticate: an invalid API key counts as an invalid client. */
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

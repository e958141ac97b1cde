import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { HttpApp } from '../../platform/http/route.ts'

type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void

/** Time for which a browser may cache the answer to a preflight. */
const MAX_AGE_SECONDS = 3_600

/** Lets pages of any origin read the answers. These endpoints take no cookies, and clients run in browsers too. */
export const allowAnyOrigin: onRequestHookHandler = (_request, reply, done) => {
  allow(reply)
  done()
}

/**
 * Lets pages of any origin read the refusals of an error handler. Some are sent before `allowAnyOrigin` runs, such as
 * the refusal of an invalid credential.
 */
export function anyOriginReads(send: ErrorHandler): ErrorHandler {
  return (error, request, reply) => {
    allow(reply)
    send(error, request, reply)
  }
}

function allow(reply: FastifyReply): void {
  reply.header('access-control-allow-origin', '*')
  reply.header('access-control-expose-headers', 'WWW-Authenticate, Location, Retry-After')
}

/** Answers preflights of the paths. @param methods the allowed methods, separated by commas */
export function answerPreflights(app: HttpApp, paths: readonly string[], methods: string): void {
  for (const url of paths) {
    app.route({
      method: 'OPTIONS',
      url,
      config: { public: true, hidden: true },
      handler: async (_request, reply) => {
        allow(reply)
        reply.header('access-control-allow-methods', methods)
        reply.header('access-control-allow-headers', 'Authorization, Content-Type, MCP-Protocol-Version')
        reply.header('access-control-max-age', String(MAX_AGE_SECONDS))
        reply.code(204)
      },
    })
  }
}

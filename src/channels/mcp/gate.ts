import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault, unauthorized } from '../../platform/faults.ts'
import { HttpRefusal, sendError } from '../../platform/http/errors.ts'
import { bearerChallenge, MCP_SCOPES } from './challenge.ts'
import { isOwnOrigin } from './origin.ts'
import { FOREIGN_ORIGIN, refusalBody } from './refusals.ts'

export interface GateOptions {
  /** Returns the base address as clients know it. A service on any free port knows its address only when it listens. */
  readonly publicUrl: () => string
  /**
   * Returns scheme and host of the authorization server for a request: a tenant with its own host has its own server.
   */
  readonly originOf: (request: FastifyRequest) => Promise<string>
}

/** Returns the checks of `/mcp` on top of those of every route, and its answers to refused requests. */
export function gateOf({ publicUrl, originOf }: GateOptions) {
  const origins = new WeakMap<FastifyRequest, string>()
  const remember = async (request: FastifyRequest): Promise<void> => {
    try {
      origins.set(request, await originOf(request))
    } catch {
      // Without an origin the challenge names the public address.
    }
  }
  const challenge = ({ kind, scopes }: Fault, request: FastifyRequest): string => {
    const origin = origins.get(request) ?? new URL(publicUrl()).origin
    if (kind === 'forbidden') return bearerChallenge({ origin, error: 'insufficient_scope', scopes })
    const wasSent = request.headers.authorization !== undefined
    return bearerChallenge({ origin, ...(wasSent ? { error: 'invalid_token' } : {}), scopes: MCP_SCOPES })
  }
  return {
    onRequest: (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
      const { caller, headers, host } = request
      const facts = { origin: headers.origin, host, publicUrl: publicUrl(), isTenantHost: caller.tenant.ownHost }
      // A browser sends its session with any request, so a session does not show that an assistant is calling.
      if (caller.credentialKind === 'session')
        done(unauthorized(['header', 'authorization'], 'A bearer credential is required'))
      else done(isOwnOrigin(facts) ? undefined : new HttpRefusal(FOREIGN_ORIGIN))
    },
    errorHandler: async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      if (error instanceof Fault && (error.kind === 'unauthorized' || error.kind === 'forbidden')) {
        await remember(request)
      }
      sendError(asProtocolError(error), request, reply)
      return reply
    },
    config: { hidden: true, errorBody: refusalBody, challenge },
  }
}

/** Turns Fastify's refusal of a body into that of an unreadable message. */
function asProtocolError(error: Error): Error {
  if (!(error instanceof Fault) || error.kind !== 'invalid') return error
  return new HttpRefusal({ status: 400, detail: error.details[0] })
}

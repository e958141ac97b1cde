import { createMcpHandler } from '@modelcontextprotocol/server'
import { toWebRequest } from '@modelcontextprotocol/node'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { Scope } from '../access/scopes.ts'
import { Fault, forbidden } from '../faults.ts'
import { HttpRefusal, sendError } from '../http/errors.ts'
import type { HttpApp, RoutePlugin } from '../http/route.ts'
import { bearerChallenge, MCP_SCOPES } from './challenge.ts'
import { isOwnOrigin } from './origin.ts'
import { EntryPrompts } from './prompts.ts'
import { BATCH, FOREIGN_ORIGIN, METHOD_NOT_ALLOWED, NO_MESSAGE, NO_SUBSCRIPTIONS, refusalBody } from './refusals.ts'
import { EntryResources } from './resources.ts'
import { type Exchange, mayCall, type Offered, serverFor } from './server.ts'
import { allTools, type McpRules } from './tools/all.ts'

export interface McpOptions {
  readonly rules: McpRules
  readonly publicUrl: () => string
  /** Scheme and host that the tenant of a request is reached at, for the address of the metadata. */
  readonly originOf: (request: FastifyRequest) => Promise<string>
}

const URL_PATH = '/mcp'
const READ: readonly Scope[] = ['knowledge:read']

/** The channel of assistants: the Model Context Protocol over streamable HTTP, without sessions. */
export function mcpRoutes({ rules, publicUrl, originOf }: McpOptions): RoutePlugin {
  const origins = new WeakMap<FastifyRequest, string>()
  const offered: Offered = {
    tools: allTools(rules),
    resources: new EntryResources(rules.entries),
    prompts: new EntryPrompts(rules.entries),
  }
  const challenge = ({ kind, scopes }: Fault, request: FastifyRequest): string => {
    const origin = origins.get(request) ?? new URL(publicUrl()).origin
    if (kind === 'forbidden') return bearerChallenge({ origin, error: 'insufficient_scope', scopes })
    const wasSent = request.headers.authorization !== undefined
    return bearerChallenge({ origin, ...(wasSent ? { error: 'invalid_token' } : {}), scopes: MCP_SCOPES })
  }
  const rememberOrigin = async (request: FastifyRequest): Promise<void> => {
    try {
      origins.set(request, await originOf(request))
    } catch {
      // The public address then has to do.
    }
  }
  const refuseForeign = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const facts = { origin: request.headers.origin, host: request.host, publicUrl: publicUrl() }
    done(
      isOwnOrigin({ ...facts, isTenantHost: request.caller.tenant.ownHost })
        ? undefined
        : new HttpRefusal(FOREIGN_ORIGIN),
    )
  }
  const frame = {
    url: URL_PATH,
    onRequest: refuseForeign,
    errorHandler: async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (error instanceof Fault && (error.kind === 'unauthorized' || error.kind === 'forbidden')) {
        // A client without a good credential is told where to get one, which its tenant's host decides.
        await rememberOrigin(request)
      }
      sendError(asProtocolError(error), request, reply)
    },
    config: { hidden: true, errorBody: refusalBody, challenge },
  }
  return (app: HttpApp) => {
    const handler = createMcpHandler((context) => serverFor(context.authInfo?.extra?.exchange as Exchange, offered), {
      onerror: (error) => report(app, error),
    })
    app.addHook('onClose', () => handler.close())
    app.route({
      ...frame,
      method: 'POST',
      handler: async (request, reply) => {
        const exchange: Exchange = { caller: assistantOf(request.caller), requestId: request.id, log: request.log }
        demand(exchange.caller, request.body, offered)
        const web = await toWebRequest(request.raw, request.body, { signal: abortedWith(reply) })
        const authInfo = { token: '', clientId: '', scopes: [], extra: { exchange } }
        return handler.fetch(web, { authInfo, parsedBody: request.body })
      },
    })
    app.route({
      ...frame,
      method: ['GET', 'DELETE'],
      handler: (_request, reply) => {
        // Streams and sessions of earlier revisions: this service has none.
        reply.header('allow', 'POST')
        throw new HttpRefusal(METHOD_NOT_ALLOWED)
      },
    })
  }
}

/** Whatever the gateway says, what comes through here is an assistant's doing. */
function assistantOf(caller: Caller): Caller {
  return { ...caller, audit: { source: 'mcp', clientId: caller.audit.clientId } }
}

/** @throws Fault forbidden when the caller's scopes allow nothing here, or not what the message asks for */
function demand(caller: Caller, body: unknown, { tools }: Offered): void {
  if (body === undefined) throw new HttpRefusal(NO_MESSAGE)
  if (Array.isArray(body)) throw new HttpRefusal(BATCH)
  if (!tools.some((tool) => mayCall(caller, tool))) {
    throw forbidden(['header', 'authorization'], `One of the scopes ${MCP_SCOPES.join(', ')} is needed`, MCP_SCOPES)
  }
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } | null }
  if (method === 'subscriptions/listen') throw new HttpRefusal(NO_SUBSCRIPTIONS)
  const needed =
    method === 'tools/call'
      ? (tools.find(({ name }) => name === params?.name)?.scopes ?? [])
      : typeof method === 'string' && /^(?:resources|prompts)\//.test(method)
        ? READ
        : []
  if (needed.every((scope) => caller.scopes.has(scope))) return
  // A client asks for exactly what it is told, so what it has already must be named as well.
  const kept = MCP_SCOPES.filter((scope) => caller.scopes.has(scope))
  const ceiling: Scope[] = caller.ceiling === 'public' ? [] : [`visibility:${caller.ceiling}`]
  const all = [...new Set([...kept, ...ceiling, ...needed])]
  throw forbidden(['header', 'authorization'], `The scope ${needed.join(' and ')} is needed for this`, all)
}

/** What Fastify found wrong with the message is a message that could not be read. */
function asProtocolError(error: Error): Error {
  if (!(error instanceof Fault) || error.kind !== 'invalid') return error
  return new HttpRefusal({ status: 400, detail: error.details[0] })
}

/** Ends what runs for a client that has gone. */
function abortedWith({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.on('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Refused messages are the client's affair; whatever else the SDK reports is ours. */
function report(app: HttpApp, error: Error): void {
  const isRefusal = 'code' in error || /^(?:Rejected|Unsupported|Bad Request|Not Acceptable|Parse)/.test(error.message)
  if (isRefusal) app.log.debug({ err: error }, 'message of an assistant was refused')
  else app.log.warn({ err: error }, 'message of an assistant failed')
}

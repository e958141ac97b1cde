import type { FastifyReply } from 'fastify'
import type { Caller } from '../../platform/access/caller.ts'
import { HttpRefusal } from '../../platform/http/errors.ts'
import type { HttpApp, RoutePlugin } from '../../platform/http/route.ts'
import { demand } from './demand.ts'
import { gateOf, type GateOptions } from './gate.ts'
import type { McpHandler } from './handler.ts'
import { loadHandler } from './load-handler.ts'
import { EntryPrompts } from './prompts.ts'
import { METHOD_NOT_ALLOWED } from './refusals.ts'
import { EntryResources } from './resources.ts'
import type { Exchange, Offer } from './server.ts'
import { allTools, type McpRules } from './tools/all.ts'
import { webRequest } from './web-request.ts'
import { watermarksOf } from './writes-seen.ts'

interface McpOptions extends GateOptions {
  readonly rules: McpRules
}

/** Returns the route for assistants: the Model Context Protocol over streamable HTTP, without sessions. */
export function mcpRoutes({ rules, ...options }: McpOptions): RoutePlugin {
  const offer: Offer = {
    tools: allTools(rules),
    resources: new EntryResources(rules.entries),
    prompts: new EntryPrompts(rules.prompts),
  }
  const frame = { url: '/mcp', ...gateOf(options) }
  return (app: HttpApp) => {
    let opened: Promise<McpHandler> | null = null
    // Opened with the first message, so that the start does not wait for the SDK.
    const handler = (): Promise<McpHandler> => (opened ??= open())
    const open = async (): Promise<McpHandler> => {
      try {
        const { openHandler } = await loadHandler()
        return openHandler(offer, (error) => report(app, error))
      } catch (error) {
        // The next message tries again.
        opened = null
        throw error
      }
    }
    app.addHook('onClose', async () => (await opened?.catch(() => null))?.close())
    app.route({
      ...frame,
      method: 'POST',
      handler: async (request, reply) => {
        const exchange: Exchange = {
          caller: assistantOf(request.caller),
          watermarks: watermarksOf(request),
          requestId: request.id,
          log: request.log,
        }
        demand(exchange.caller, request.body, offer.tools)
        const web = webRequest(request.raw, abortedWith(reply))
        const authInfo = { token: '', clientId: '', scopes: [], extra: { exchange } }
        return (await handler()).fetch(web, { authInfo, parsedBody: request.body })
      },
    })
    app.route({
      ...frame,
      method: ['GET', 'DELETE'],
      handler: (_request, reply) => {
        // Earlier revisions of the protocol have streams and sessions here. This service has none.
        reply.header('allow', 'POST')
        throw new HttpRefusal(METHOD_NOT_ALLOWED)
      },
    })
  }
}

/** Returns a caller whose changes the audit log marks as made through MCP. */
function assistantOf(caller: Caller): Caller {
  return { ...caller, audit: { ...caller.audit, source: 'mcp' } }
}

/** Returns a signal that aborts when the client closes the connection before its answer is complete. */
function abortedWith({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.on('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** Logs a refused message as a mistake of the client, and any other error of the SDK as one of this service. */
function report(app: HttpApp, error: Error): void {
  const isRefusal = 'code' in error || /^(?:Rejected|Unsupported|Bad Request|Not Acceptable|Parse)/.test(error.message)
  if (isRefusal) app.log.debug({ err: error }, 'refused a message of an assistant')
  else app.log.warn({ err: error }, 'a message of an assistant failed')
}

import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Exchange, type Offer, serverFor } from './server.ts'

export type McpHandler = ReturnType<typeof createMcpHandler>

/**
 * Opens the MCP handler of the official SDK. Each request gets its own server, which finds its `Exchange` in
 * `authInfo.extra.exchange`.
 */
export function openHandler(offer: Offer, onError: (error: Error) => void): McpHandler {
  return createMcpHandler((context) => serverFor(context.authInfo?.extra?.exchange as Exchange, offer), {
    onerror: onError,
  })
}

import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Exchange, type Offered, serverFor } from './server.ts'

export type McpHandler = ReturnType<typeof createMcpHandler>

/**
 * Opens the MCP handler of the official SDK. Each request gets its own server, which finds its `Exchange` in
 * `authInfo.extra.exchange`.
 */
export function openHandler(offered: Offered, onError: (error: Error) => void): McpHandler {
  return createMcpHandler((context) => serverFor(context.authInfo?.extra?.exchange as Exchange, offered), {
    onerror: onError,
  })
}

import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Exchange, type Offered, serverFor } from './server.ts'

export type McpHandler = ReturnType<typeof createMcpHandler>

/**
 * The official SDK's side of the channel. Each request has a server of its own, and is handed its `Exchange` in
 * `authInfo.extra.exchange`.
 */
export function openHandler(offered: Offered, onError: (error: Error) => void): McpHandler {
  return createMcpHandler((context) => serverFor(context.authInfo?.extra?.exchange as Exchange, offered), {
    onerror: onError,
  })
}

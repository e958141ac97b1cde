import type * as Handler from './handler.ts'

/** Loads the MCP SDK. It is large, so the start of the service does not wait for it. */
export function loadHandler(): Promise<typeof Handler> {
  return import('./handler.ts')
}

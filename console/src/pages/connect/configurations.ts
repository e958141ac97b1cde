import type { Assistant } from './choices.ts'

/** Text to enter in an assistant: an address, a command, or a file. */
interface Configuration {
  readonly kind: 'address' | 'command' | 'file'
  readonly text: string
}

/**
 * Returns the text to enter, as docs/guides/connect-an-assistant.md says.
 * @param address address of the MCP endpoint
 */
export function configurationOf(assistant: Assistant, address: string): Configuration {
  switch (assistant) {
    case 'claude':
    case 'chatgpt':
      return { kind: 'address', text: address }
    case 'claude-code':
      return { kind: 'command', text: `claude mcp add --transport http knowledge ${address}` }
    case 'cursor':
      return { kind: 'file', text: jsonOf({ mcpServers: { knowledge: { url: address } } }) }
    case 'vscode':
      return { kind: 'file', text: jsonOf({ servers: { knowledge: { type: 'http', url: address } } }) }
  }
}

const jsonOf = (value: object): string => JSON.stringify(value, null, 2)

import type { Assistant } from './asked.ts'

/** What is entered in an assistant: its address, a command, or a file. */
interface Configuration {
  readonly kind: 'address' | 'command' | 'file'
  readonly text: string
}

/** What to enter where, as docs/guides/connect-an-assistant.md says. @param address of the MCP endpoint */
export function configurationOf(assistant: Assistant, address: string): Configuration {
  switch (assistant) {
    case 'claude':
    case 'chatgpt':
      return { kind: 'address', text: address }
    case 'claude-code':
      return { kind: 'command', text: `claude mcp add --transport http knowledge ${address}` }
    case 'cursor':
      return { kind: 'file', text: written({ mcpServers: { knowledge: { url: address } } }) }
    case 'vscode':
      return { kind: 'file', text: written({ servers: { knowledge: { type: 'http', url: address } } }) }
  }
}

const written = (value: object): string => JSON.stringify(value, null, 2)

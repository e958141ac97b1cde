import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Ajv } from 'ajv'
import { allTools, type McpRules } from '../../src/channels/mcp/tools/all.ts'
import type { TestService } from '../support/service.ts'

interface Result {
  readonly isError: boolean
  readonly text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly data: any
}

type Revision = '2026-07-28' | '2025-11-25'

const INFO = { name: 'test', version: '1' }

/**
 * Connects the SDK's current client. It uses the newest protocol revision unless an older one is given, which begins
 * with a handshake.
 */
export async function connect(
  { service }: TestService,
  key: string,
  { headers = {}, revision = '2026-07-28' }: { headers?: Record<string, string>; revision?: Revision } = {},
): Promise<Client> {
  const client = new Client(INFO, revision === '2026-07-28' ? { versionNegotiation: { mode: { pin: revision } } } : {})
  const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
  })
  await client.connect(transport)
  return client
}

/** Connects the SDK's client in version 1. */
export async function connect1({ service }: TestService, key: string): Promise<Client1> {
  const client = new Client1(INFO)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new Transport1(new URL(`${service.url}/mcp`), { requestInit }))
  return client
}

export async function use(
  client: Client | Client1,
  name: string,
  input: Record<string, unknown> = {},
): Promise<Result> {
  const result = await (client as Client).callTool({ name, arguments: input })
  const [block] = result.content
  if (block?.type !== 'text') throw new Error('A result without text')
  const isError = result.isError === true
  if (!isError) requireDescribed(name, result.structuredContent)
  return { isError, text: block.text, data: result.structuredContent }
}

const TOOLS = allTools({} as McpRules)
const ajv = new Ajv({ strict: false, validateFormats: false })

/**
 * Fails unless an answer is as the reference describes the tool: it has all fields that must be there, and no other.
 */
function requireDescribed(name: string, answer: unknown): void {
  const tool = TOOLS.find((each) => each.name === name)
  const schema = { ...tool?.outputSchema, additionalProperties: false }
  if (!ajv.validate(schema, answer)) throw new Error(`${name} answers ${ajv.errorsText()}`)
}

/** Sends one message without a client, like a client of the earlier revision after its handshake. */
export async function post(
  url: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; headers: Headers; text: string; message: Message }> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return {
    status: response.status,
    headers: response.headers,
    text,
    message: (data === '' ? {} : JSON.parse(data)) as Message,
  }
}

interface Message {
  readonly jsonrpc?: string
  readonly id?: string | number | null
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read answers of every shape
  readonly result?: any
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** Returns a request in the format of the revision without a handshake. */
export function modern(method: string, params: Record<string, unknown> = {}, id = 1): Record<string, unknown> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': INFO,
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta } }
}

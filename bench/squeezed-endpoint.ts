import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ContextualReader } from '../src/embedding/contextual/contextual-reader.ts'
import type { Purpose } from '../src/embedding/contextual/reader.ts'

interface Call {
  readonly model: string
  readonly input: readonly string[]
  readonly encoding_format?: 'float' | 'base64'
}

/** Share of a squeezed cosine that is the same for all texts. */
const COMMON_SHARE = 0.8
const PREFIXES: Readonly<Record<Purpose, string>> = { query: 'query: ', passage: 'passage: ' }

/**
 * Serves the contextual model like OpenAI, with cosines as those of E5 lie: each is .8 + .2 x the cosine of the model.
 * It knows queries and passages by their prefixes, and takes a text without one for a passage.
 */
export async function startSqueezedEndpoint() {
  const reader = new ContextualReader({ threads: 1, log: { warn: say } })
  const server = createServer((request, response) => {
    void serve(reader, request, response)
  })
  server.keepAliveTimeout = 120_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    settings: {
      EMBEDDING_MODEL: 'contextual-squeezed',
      EMBEDDING_QUERY_PREFIX: PREFIXES.query,
      EMBEDDING_PASSAGE_PREFIX: PREFIXES.passage,
    },
    close: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await reader.close()
    },
  }
}

async function serve(reader: ContextualReader, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
  try {
    const body = await answer(reader, JSON.parse(Buffer.concat(chunks).toString()) as Call)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  } catch (error) {
    // The endpoint closes while a call is under way, or the model cannot read.
    response.writeHead(503).end((error as Error).message)
  }
}

async function answer(reader: ContextualReader, { model, input, encoding_format: encoding }: Call): Promise<string> {
  const data = []
  for (const [index, text] of input.entries()) {
    const vector = await squeezed(reader, text)
    const embedding = encoding === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
    data.push({ object: 'embedding', index, embedding })
  }
  return JSON.stringify({ object: 'list', model, data, usage: { prompt_tokens: 0, total_tokens: 0 } })
}

/** Returns the vector of a text, of length 1, whose last component all texts have in common. */
async function squeezed(reader: ContextualReader, text: string): Promise<Float32Array> {
  const purpose = text.startsWith(PREFIXES.query) ? 'query' : 'passage'
  const bare = text.startsWith(PREFIXES[purpose]) ? text.slice(PREFIXES[purpose].length) : text
  const { vectors } = await reader.read([bare], purpose)
  const own = Math.sqrt(1 - COMMON_SHARE)
  const vector = new Float32Array(vectors[0].length + 1)
  for (const [i, component] of vectors[0].entries()) vector[i] = own * component
  vector[vectors[0].length] = Math.sqrt(COMMON_SHARE)
  return vector
}

function say(facts: object, text: string): void {
  process.stderr.write(`${text}: ${JSON.stringify(facts)}\n`)
}

/**
 * Serves embeddings like OpenAI, but only looks up vectors, so that it takes almost no time. Argument: the file from
 * `writeVectors`.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readVectors } from './search-vectors.ts'
import { hashText } from './support/random.ts'

interface Call {
  readonly model: string
  readonly input: readonly string[]
  readonly encoding_format?: 'float' | 'base64'
}

const vectors = readVectors(process.argv[2])

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const { status, body } = answer(JSON.parse(Buffer.concat(chunks).toString()) as Call)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
server.keepAliveTimeout = 120_000
server.listen(0, '127.0.0.1', () => {
  console.log(`ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
process.on('SIGTERM', () => process.exit(0))

function answer({ model, input, encoding_format: encoding }: Call): { status: number; body: string } {
  const rows = input.map((text) => vectors.get(hashText(text)))
  if (rows.some((vector) => vector === undefined)) {
    return { status: 400, body: JSON.stringify({ error: { message: 'no vector was prepared for this text' } }) }
  }
  const data = (rows as Buffer[]).map((vector, index) => ({
    object: 'embedding',
    index,
    embedding: encoding === 'base64' ? vector.toString('base64') : floats(vector),
  }))
  const usage = { prompt_tokens: 0, total_tokens: 0 }
  return { status: 200, body: JSON.stringify({ object: 'list', model, data, usage }) }
}

function floats(vector: Buffer): number[] {
  return Array.from({ length: vector.length / 4 }, (_, i) => vector.readFloatLE(4 * i))
}

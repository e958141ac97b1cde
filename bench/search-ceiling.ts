/**
 * Measures the least that a search can cost: a bare Fastify route that makes the same embedding call with the same
 * client. `/search` serialises ten entries of a real answer through the same contract, `/bytes` sends the same answer as
 * bytes. It has no credential, no database and no search. Arguments: URL of the embedding server, its model's name and dimensions, a JSON file of answers.
 */
import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import { createOpenAiEmbedder } from '../src/embedding/openai/openai.ts'
import { EntryHit } from '../src/knowledge/entries/contract.ts'
import { ListOf } from '../src/platform/contract/schema.ts'
import { compileSerialiser } from '../src/platform/contract/serialise.ts'

const [embeddingUrl, model, dimensions, answersFile] = process.argv.slice(2)
const answers = JSON.parse(readFileSync(answersFile, 'utf8')) as object[][]
const embedder = createOpenAiEmbedder({
  url: new URL(embeddingUrl),
  model,
  apiKey: null,
  dimensions: Number(dimensions),
})

const app = Fastify()
app.setSerializerCompiler(({ schema }) => compileSerialiser(schema as object))
let next = 0
app.post('/search', { schema: { response: { 200: ListOf(EntryHit) } } }, async (request) => {
  await embedder.embed([(request.body as { query: string }).query], 'query')
  return answers[next++ % answers.length]
})
const bytes = answers.map((answer) => Buffer.from(JSON.stringify(answer)))
app.post('/bytes', async (request, reply) => {
  await embedder.embed([(request.body as { query: string }).query], 'query')
  return reply.type('application/json; charset=utf-8').send(bytes[next++ % bytes.length])
})
console.log(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
process.on('SIGTERM', () => process.exit(0))

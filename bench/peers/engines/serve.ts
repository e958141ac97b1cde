/**
 * Serves a peer, in the same way for all: words come in, are embedded as the service embeds them, and ten whole entries
 * go out. Entries are stored as JSON and joined as text, which costs a peer as little as possible.
 */
import Fastify from 'fastify'
import { createBuiltinEmbedder } from '../../../src/embedding/builtin/builtin.ts'
import { createOpenAiEmbedder } from '../../../src/embedding/openai/openai.ts'
import type { Embedder } from '../../../src/embedding/embedder.ts'
import type { Question } from '../collection.ts'
import { type Engine, type Hit, MODEL, type PeerSettings, type Tuning } from '../engine.ts'
import { readFiles } from '../files.ts'

const NO_VECTOR = new Float32Array()
const QUESTION = {
  type: 'object',
  required: ['words', 'filter'],
  properties: {
    words: { type: 'string' },
    filter: {
      type: ['object', 'null'],
      required: ['field', 'value'],
      properties: { field: { enum: ['half', 'layer', 'category', 'tenant'] }, value: { type: 'integer' } },
    },
  },
}

/**
 * Serves an engine.
 * @param asks whether the engine is searched by vectors or by words
 */
export async function serve(
  asks: 'vectors' | 'words',
  open: (settings: PeerSettings) => Promise<Engine>,
): Promise<void> {
  const settings = JSON.parse(process.argv[2]) as PeerSettings
  const engine = await open(settings)
  const embedder = asks === 'vectors' ? embedderOf(settings) : null
  const app = Fastify()
  // An engine may keep the thread busy for minutes; Node would then refuse what has waited for it.
  app.server.headersTimeout = 0
  app.server.requestTimeout = 0
  app.post('/load', async () => {
    const began = performance.now()
    await engine.load(readFiles(settings.folder, settings.dimensions, settings.tenants))
    return { seconds: (performance.now() - began) / 1_000 }
  })
  app.post('/tune', async (request) => {
    await engine.tune(request.body as Tuning)
    return {}
  })
  app.post('/search', { schema: { body: QUESTION } }, async (request, reply) => {
    const { words, filter } = request.body as Question
    const vector = embedder === null ? NO_VECTOR : (await embedder.embed([words], 'query'))[0]
    const hits = await engine.search({ words, vector, filter })
    return reply.type('application/json; charset=utf-8').send(answerOf(hits))
  })
  console.log(`ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
  process.on('SIGTERM', () => process.exit(0))
}

function embedderOf({ embeddingUrl, dimensions }: PeerSettings): Embedder {
  if (embeddingUrl === null) return createBuiltinEmbedder()
  return createOpenAiEmbedder({ url: new URL(`${embeddingUrl}/v1`), model: MODEL, apiKey: null, dimensions })
}

function answerOf(hits: readonly Hit[]): string {
  return `[${hits.map(({ body, score }) => `{"entry":${body},"similarity":${score}}`).join(',')}]`
}

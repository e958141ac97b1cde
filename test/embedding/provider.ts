import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sharedStaticModel } from '../../src/embedding/builtin/static-model.ts'
import { UNRELATED_PASSAGES, UNRELATED_QUESTIONS } from '../../src/embedding/scale/unrelated-texts.ts'

/** Model with the vectors of the built-in static one. */
export const STRAIGHT = 'straight'
/** Model whose cosines are .8 + .2 x those of `STRAIGHT`. */
export const SQUEEZED = 'squeezed'

/** The provider's models and the length of their vectors. */
const DIMENSIONS: Readonly<Record<string, number>> = { 'model-a': 32, 'model-b': 48, [STRAIGHT]: 256, [SQUEEZED]: 257 }

/** Texts by which the service measures a model, which no test counts or holds up. */
const MEASURED = new Set([...UNRELATED_QUESTIONS, ...UNRELATED_PASSAGES])

/** A text with this word is always refused. */
export const REFUSED_WORD = 'unspeakable'

/**
 * A server with OpenAI's `POST /embeddings`. A text's vector depends only on its words, so texts with common words are
 * similar. Each model gives words other positions.
 */
export class Provider {
  readonly #server: Server
  /** Duration of each call. */
  delayMs = 0
  isDown = false
  /** Whether calls get no answer until the provider stops. */
  isHanging = false
  /** Calls whose answers wait, and until when. */
  #pause: { readonly isHeld: (texts: readonly string[]) => boolean; readonly over: Promise<void> } | null = null
  /** Returns a wrong answer in place of the vectors; null while the provider answers right. */
  lie: ((vectors: readonly number[][]) => unknown) | null = null
  /** Number of calls answered with vectors, by model. */
  readonly calls = new Map<string, number>()
  /** Texts whose vectors were asked for, in order. */
  readonly texts: string[] = []
  /** Header `traceparent` of each call that had one. */
  readonly traceparents: string[] = []
  /** Header `baggage` of each call that had one. */
  readonly baggage: string[] = []

  private constructor() {
    this.#server = createServer((request, response) => {
      void this.#answer(request, response)
    })
  }

  static async start(): Promise<Provider> {
    const provider = new Provider()
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve))
    return provider
  }

  /** Settings of a service that uses this provider. */
  settings(model: string): Record<string, string> {
    const { port } = this.#server.address() as AddressInfo
    return { EMBEDDING_PROVIDER: 'openai', EMBEDDING_URL: `http://127.0.0.1:${port}/v1`, EMBEDDING_MODEL: model }
  }

  /**
   * Lets the answers to calls with these texts wait.
   * @returns a function that lets them go, and all later ones
   */
  hold(isHeld: (texts: readonly string[]) => boolean): () => void {
    let release: () => void
    this.#pause = { isHeld, over: new Promise((resolve) => (release = resolve)) }
    return () => {
      this.#pause = null
      release()
    }
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { traceparent, baggage } = request.headers
    if (typeof traceparent === 'string') this.traceparents.push(traceparent)
    if (typeof baggage === 'string') this.baggage.push(baggage)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { model, input } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { model: string; input: string[] }
    const isMeasuring = input.every((text) => MEASURED.has(text))
    if (!isMeasuring) this.texts.push(...input)
    if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs))
    if (!isMeasuring && this.#pause?.isHeld(input)) await this.#pause.over
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (this.isHanging) return
    if (this.isDown) return send(503, { error: { code: 'overloaded' } })
    if (!Object.hasOwn(DIMENSIONS, model)) return send(404, { error: { code: 'model_not_found' } })
    if (input.some((text) => text.includes(REFUSED_WORD))) return send(400, { error: { code: 'invalid_input' } })
    if (this.lie !== null) return send(200, this.lie(input.map((text) => [...vectorOf(model, text)])) as object)
    if (!isMeasuring) this.calls.set(model, (this.calls.get(model) ?? 0) + 1)
    send(200, { data: input.map((text, index) => ({ index, embedding: [...vectorOf(model, text)] })) })
  }
}

/** Returns the normalised vector that the provider gives a text. */
export function vectorOf(model: string, text: string): Float32Array {
  if (model === STRAIGHT) return sharedStaticModel().embedTitled(text)
  if (model === SQUEEZED) return squeezed(text)
  const vector = new Float32Array(DIMENSIONS[model])
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
    const hash = hashOf(`${model} ${word}`)
    vector[hash % vector.length] += 1
    vector[(hash >>> 8) % vector.length] -= 0.5
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** Returns the vector of the static model, with a component that all texts share. */
function squeezed(text: string): Float32Array {
  const vector = sharedStaticModel().embedTitled(text)
  return Float32Array.of(...vector.map((component) => Math.sqrt(0.2) * component), Math.sqrt(0.8))
}

/** Returns the FNV-1a hash of a text, in 32 bits (RFC 9923). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, test } from 'node:test'
import { type Embedder, EmbeddingRejected, EmbeddingUnavailable } from '../embedder.ts'
import { CALL_LIMITS, createOpenAiEmbedder, type OpenAiOptions } from './openai.ts'

interface Call {
  readonly headers: IncomingMessage['headers']
  readonly url: string
  readonly body: { model: string; input: string[]; encoding_format?: string; dimensions?: number; input_type?: string }
  readonly response: ServerResponse
}

type Behaviour = (call: Call, number: number) => void

const SECRET = 'sk-very-secret'
const TEXT = 'a private sentence'
let cleanup: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(cleanup.map((step) => step()))
  cleanup = []
})

/** Starts a provider on a real socket that behaves as the test says, and an embedder that calls it without waiting. */
async function provider(behave: Behaviour, options: Partial<OpenAiOptions> = {}) {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const call = { headers: request.headers, url: request.url!, body: JSON.parse(text) as Call['body'], response }
    calls.push(call)
    behave(call, calls.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const clock = { ms: 0, waits: [] as number[] }
  const timing = {
    now: () => clock.ms,
    random: () => 0.5,
    sleep: async (ms: number) => {
      clock.waits.push(ms)
      clock.ms += ms
    },
  }
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`)
  const embedder = createOpenAiEmbedder({ url, model: 'm', apiKey: SECRET, dimensions: null, timing, ...options })
  cleanup.push(async () => {
    await embedder.close()
    server.closeAllConnections()
    server.close()
  })
  return { calls, clock, embedder, server }
}

/** Returns the vector of a correct provider: [length of the text, 1], normalised. */
function vectorOf(text: string): number[] {
  const length = Math.hypot(text.length, 1)
  return [text.length / length, 1 / length]
}

function data(input: readonly string[], asBase64 = false) {
  return input.map((text, index) => {
    const embedding = vectorOf(text)
    return {
      index,
      embedding: asBase64 ? Buffer.from(Float32Array.from(embedding).buffer).toString('base64') : embedding,
    }
  })
}

const good: Behaviour = ({ body, response }) => {
  response.end(JSON.stringify({ data: data(body.input, body.encoding_format === 'base64') }))
}

function status(code: number, headers: Record<string, string> = {}, body = ''): Behaviour {
  return ({ response }) => void response.writeHead(code, headers).end(body)
}

function close(actual: Float32Array, expected: readonly number[]): void {
  assert.equal(actual.length, expected.length)
  expected.forEach((value, i) => assert.ok(Math.abs(actual[i] - value) < 1e-6))
}

/** Asserts that the call fails with this kind of error, and that the error contains neither the key nor the text. */
async function fails(
  call: Promise<unknown>,
  kind: typeof EmbeddingUnavailable | typeof EmbeddingRejected,
): Promise<Error> {
  const error = await call.then(
    () => assert.fail('it should have failed'),
    (error: unknown) => error as Error,
  )
  assert.ok(error instanceof kind, `${error.name}: ${error.message}`)
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    const all = `${each.message} ${each.stack} ${JSON.stringify(each)}`
    assert.ok(!all.includes(SECRET) && !all.includes(TEXT), all)
  }
  return error
}

test('the request follows the OpenAI interface and asks for base64', async () => {
  const { calls, embedder } = await provider(good, { dimensions: 2 })
  const [vector] = await embedder.embed([TEXT], 'query')
  close(vector, vectorOf(TEXT))
  assert.equal(calls[0].url, '/v1/embeddings')
  assert.equal(calls[0].headers.authorization, `Bearer ${SECRET}`)
  assert.equal(calls[0].headers['content-type'], 'application/json')
  assert.deepEqual(calls[0].body, { model: 'm', input: [TEXT], encoding_format: 'base64', dimensions: 2 })
})

test('the query of the address is kept, and an empty key is not sent', async () => {
  const { calls, embedder, server } = await provider(good)
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/openai?api-version=1`)
  const other = createOpenAiEmbedder({ url, model: 'm', apiKey: null, dimensions: null })
  cleanup.push(() => other.close())
  await other.embed(['a'], 'query')
  await embedder.embed(['a'], 'query')
  assert.equal(calls[0].url, '/openai/embeddings?api-version=1')
  assert.equal(calls[0].headers.authorization, undefined)
})

test('dimensions are unknown until the first answer, the id is not', async () => {
  const { embedder } = await provider(good)
  assert.equal(embedder.id, 'openai:m:default')
  assert.equal(embedder.dimensions, 0)
  await embedder.embed(['a'], 'query')
  assert.equal(embedder.dimensions, 2)
  assert.equal(embedder.id, 'openai:m:default')
})

test('long lists are sent in batches, a few at a time, and vectors come back in order', async () => {
  let open = 0
  let most = 0
  const { calls, embedder } = await provider((call, number) => {
    most = Math.max(most, ++open)
    setImmediate(() => {
      open--
      good(call, number)
    })
  })
  const texts = Array.from({ length: 300 }, (_, i) => 'x'.repeat(i))
  const vectors = await embedder.embed(texts, 'passage')
  vectors.forEach((vector, i) => close(vector, vectorOf(texts[i])))
  const sizes = calls.map((call) => call.body.input.length)
  assert.deepEqual(
    sizes.sort((a, b) => a - b),
    [12, ...Array.from({ length: 9 }, () => 32)],
  )
  assert.ok(most <= CALL_LIMITS.passage.parallelMax, `${most} at a time`)
  assert.deepEqual(await embedder.embed([], 'passage'), [])
  assert.equal(calls.length, 10)
})

test('arrays of numbers and shuffled items are read too', async () => {
  const { embedder } = await provider(({ body, response }) => {
    response.end(JSON.stringify({ data: data(body.input).reverse() }))
  })
  const [first, second] = await embedder.embed(['a', 'bcd'], 'passage')
  close(first, vectorOf('a'))
  close(second, vectorOf('bcd'))
})

test('a server that refuses encoding_format is called without it from then on', async () => {
  const { calls, embedder } = await provider((call, number) => {
    if (call.body.encoding_format !== undefined) status(422)(call, number)
    else good(call, number)
  })
  await embedder.embed(['a'], 'query')
  await embedder.embed(['b'], 'query')
  assert.deepEqual(
    calls.map((call) => call.body.encoding_format),
    ['base64', undefined, undefined],
  )
})

test('a temporary fault is tried again, after the wait that the provider asks for', async () => {
  const { calls, clock, embedder } = await provider((call, number) => {
    if (number === 1) status(500)(call, number)
    else if (number === 2) status(429, { 'retry-after': '3' })(call, number)
    else good(call, number)
  })
  close((await embedder.embed([TEXT], 'query'))[0], vectorOf(TEXT))
  assert.equal(calls.length, 3)
  assert.deepEqual(clock.waits, [100, 3_000])
})

test("a Retry-After beyond the call's time limit ends the call and is passed on", async () => {
  const { calls, embedder } = await provider(status(429, { 'retry-after': '120' }))
  const error = await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.equal((error as EmbeddingUnavailable).retryAfterMs, 120_000)
  assert.equal(calls.length, 1)
})

for (const code of [408, 409, 429, 500, 502, 503, 504]) {
  test(`${code} is tried again as often as allowed, then reported as unavailable`, async () => {
    const { calls, embedder } = await provider(status(code))
    await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
    assert.equal(calls.length, CALL_LIMITS.query.attemptsMax)
  })
}

for (const [code, setting] of [
  [401, 'EMBEDDING_API_KEY'],
  [403, 'EMBEDDING_API_KEY'],
  [404, 'EMBEDDING_MODEL'],
  [302, 'EMBEDDING_URL'],
] as const) {
  test(`${code} points to ${setting}: it is not tried again, and the texts stay in the queue`, async () => {
    const { calls, embedder } = await provider(status(code, { location: '/elsewhere' }, `${SECRET} ${TEXT}`))
    const error = await fails(embedder.embed([TEXT], 'passage'), EmbeddingUnavailable)
    assert.match(error.message, new RegExp(`${code}.*${setting}`))
    assert.equal((error as EmbeddingUnavailable).retryAfterMs, 60_000)
    assert.equal(calls.length, 1)
  })
}

for (const code of [400, 413, 422]) {
  test(`${code} refuses the text for good, and only the provider's error code is shown`, async () => {
    const body = JSON.stringify({ error: { code: 'context_length_exceeded', message: `${SECRET} ${TEXT}` } })
    const { embedder } = await provider((call, number) => (number === 1 ? good : status(code, {}, body))(call, number))
    await embedder.embed(['first'], 'query')
    const error = await fails(embedder.embed([TEXT], 'passage'), EmbeddingRejected)
    assert.equal(error.message, `the embedding provider answered ${code} (context_length_exceeded)`)
  })
}

/** Behaviours at which an attempt fails at once. */
const failing: Readonly<Record<string, Behaviour>> = {
  'closes the connection': ({ response }) => void response.destroy(),
  'resets the connection in the middle of the answer': ({ response }) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('{"data":', () => response.destroy())
  },
  'answers a web page': status(200, { 'content-type': 'text/html' }, `<html>${TEXT}</html>`),
  'answers half of its JSON': ({ body, response }) =>
    void response.end(JSON.stringify({ data: data(body.input) }).slice(0, 40)),
}
/** Behaviours that only the time limit of an attempt ends. */
const hanging: Readonly<Record<string, Behaviour>> = {
  'never answers': () => undefined,
  'begins an answer that never ends': ({ response }) => void response.write('{"data": ['),
  'drips an answer that never ends': ({ response }) => {
    const timer = setInterval(() => response.write(' '), 5)
    response.on('close', () => clearInterval(timer))
  },
}
/**
 * Returns limits with two attempts.
 * @param attemptTimeoutMs milliseconds in which a good answer has to come, however busy the machine is
 */
const twoAttempts = (attemptTimeoutMs: number) => ({
  ...CALL_LIMITS,
  query: { ...CALL_LIMITS.query, attemptTimeoutMs, attemptsMax: 2 },
})

const patient = twoAttempts(CALL_LIMITS.query.attemptTimeoutMs)
for (const [behaviours, whenRecovering, whenGivingUp] of [
  [failing, patient, patient],
  // The second of two short attempts may end before the provider has read the request.
  [hanging, twoAttempts(1_000), twoAttempts(50)],
] as const) {
  for (const [name, behaviour] of Object.entries(behaviours)) {
    test(`a provider that ${name} is tried again`, async () => {
      const { calls, embedder } = await provider((call, number) => (number === 1 ? behaviour : good)(call, number), {
        limits: whenRecovering,
      })
      close((await embedder.embed([TEXT], 'query'))[0], vectorOf(TEXT))
      assert.equal(calls.length, 2)
    })

    test(`a provider that ${name} each time is reported as unavailable after as many attempts as allowed`, async () => {
      const { calls, clock, embedder } = await provider(behaviour, { limits: whenGivingUp })
      await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
      assert.equal(clock.waits.length, 1)
      if (behaviours === failing) assert.equal(calls.length, 2)
    })
  }
}

test('an endless answer is cut off and does not fill the memory', async () => {
  let written = 0
  const { embedder } = await provider(
    ({ response }) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536))) written += 65_536
      }
      response.on('drain', more).on('error', () => undefined)
      more()
    },
    { limits: { ...CALL_LIMITS, query: { ...CALL_LIMITS.query, attemptsMax: 1 } } },
  )
  const error = await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.match(error.message, /too long/)
  assert.ok(written < 16 * 1024 * 1024, `${written} bytes`)
})

test('impossible vectors are refused', async () => {
  const wrong = [
    data(['one']),
    [
      { index: 0, embedding: [1, 0, 0] },
      { index: 1, embedding: [1, 0, 0] },
    ],
    [
      { index: 0, embedding: ['NaN', 1] },
      { index: 1, embedding: [1, 0] },
    ],
  ]
  const { embedder } = await provider(
    (call, number) => void call.response.end(JSON.stringify({ data: wrong[number - 1] })),
    { dimensions: 2 },
  )
  for (let i = 0; i < wrong.length; i++) await fails(embedder.embed([TEXT, 'b'], 'passage'), EmbeddingRejected)
})

test('a provider that cannot be reached is unavailable', async () => {
  const { embedder, server } = await provider(good)
  server.close()
  const error = await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.match(error.message, /ECONNREFUSED/)
})

test('after five failures in a row no call is sent until a probe succeeds', async () => {
  const state = { isDown: true }
  const { calls, clock, embedder } = await provider(
    (call, number) => (state.isDown ? status(503) : good)(call, number),
    {
      limits: { ...CALL_LIMITS, query: { ...CALL_LIMITS.query, attemptsMax: 1 } },
    },
  )
  for (let i = 0; i < 5; i++) await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.equal(calls.length, 5)
  const refused = await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.equal((refused as EmbeddingUnavailable).retryAfterMs, 2_000)
  assert.equal(calls.length, 5)
  clock.ms += 2_000
  await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.equal(calls.length, 6)
  state.isDown = false
  clock.ms += 2_000
  await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.equal(calls.length, 6)
  clock.ms += 2_000
  close((await embedder.embed([TEXT], 'query'))[0], vectorOf(TEXT))
  await embedder.embed([TEXT], 'query')
  assert.equal(calls.length, 8)
})

test('refused texts do not open the circuit', async () => {
  const { embedder } = await provider((call, number) =>
    (call.body.input[0] === TEXT ? status(400) : good)(call, number),
  )
  for (let i = 0; i < 20; i++) await fails(embedder.embed([TEXT], 'passage'), EmbeddingRejected)
  await embedder.embed(['fine'], 'query')
})

async function abortsWith(embedder: Embedder, called: Promise<unknown>): Promise<void> {
  const controller = new AbortController()
  const reason = new Error('the caller left')
  const call = assert.rejects(embedder.embed([TEXT], 'query', controller.signal), reason)
  await called
  controller.abort(reason)
  await call
}

test('a caller who gives up ends the call at once with the signal’s reason, and affects no other call', async () => {
  const arrivals: (() => void)[] = []
  const closed: Promise<unknown>[] = []
  const { calls, embedder } = await provider((call, number) => {
    if (number > 6) return good(call, number)
    closed.push(once(call.response, 'close'))
    arrivals.shift()!()
  })
  for (let i = 0; i < 6; i++) await abortsWith(embedder, new Promise<void>((resolve) => arrivals.push(resolve)))
  await Promise.all(closed)
  close((await embedder.embed([TEXT], 'query'))[0], vectorOf(TEXT))
  assert.equal(calls.length, 7)
  await assert.rejects(embedder.embed([TEXT], 'query', AbortSignal.abort()), { name: 'AbortError' })
})

test('closing ends running calls and refuses later ones', async () => {
  const { promise: called, resolve } = Promise.withResolvers<void>()
  const { calls, embedder } = await provider(() => resolve())
  const running = fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  await called
  await embedder.close()
  await running
  await fails(embedder.embed([TEXT], 'query'), EmbeddingUnavailable)
  assert.equal(calls.length, 1)
})

test('queries and passages are sent as the model wants them, and another style is another model', async () => {
  const style = {
    prefixes: { query: 'query: ', passage: 'passage: ' },
    inputTypes: { query: 'search_query', passage: 'search_document' },
  }
  const { calls, embedder } = await provider(good, { style })
  await embedder.embed([TEXT, 'b'], 'query')
  await embedder.embed([TEXT], 'passage')
  assert.deepEqual(
    calls.map(({ body }) => [body.input, body.input_type]),
    [
      [[`query: ${TEXT}`, 'query: b'], 'search_query'],
      [[`passage: ${TEXT}`], 'search_document'],
    ],
  )
  assert.equal(embedder.id, 'openai:m?query=query%3A+&passage=passage%3A+&types=search_query%2Csearch_document:default')
})

test('without a style nothing is put in front of texts, and no input type is sent', async () => {
  const { calls, embedder } = await provider(good)
  await embedder.embed([TEXT], 'query')
  assert.deepEqual(calls[0].body.input, [TEXT])
  assert.ok(!('input_type' in calls[0].body))
  assert.equal(embedder.id, 'openai:m:default')
})

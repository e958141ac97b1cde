import type { Dispatcher } from 'undici'

interface PostRequest {
  readonly origin: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  /** For the whole exchange: connecting, waiting and reading. */
  readonly timeoutMs: number
  /** A longer answer is an error. */
  readonly answerMaxBytes: number
}

export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

export class PostTimeout extends Error {
  override readonly name = 'PostTimeout'
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong'
}

/**
 * One POST. Redirects are not followed.
 *
 * @throws PostTimeout, AnswerTooLong, the signal's reason, or a network error
 */
export async function post(
  dispatcher: Dispatcher,
  { origin, path, headers, body, timeoutMs, answerMaxBytes }: PostRequest,
  signal: AbortSignal | undefined,
): Promise<PostAnswer> {
  signal?.throwIfAborted()
  const ending = new AbortController()
  const onAbort = () => ending.abort(signal!.reason)
  const timer = setTimeout(() => ending.abort(new PostTimeout('no complete answer in time')), timeoutMs)
  signal?.addEventListener('abort', onAbort)
  try {
    const answer = await dispatcher.request({ origin, path, method: 'POST', headers, body, signal: ending.signal })
    const retryAfter = answer.headers['retry-after']
    return {
      status: answer.statusCode,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      body: await textOf(answer.body, answerMaxBytes),
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
}

/** @throws AnswerTooLong; the rest is left unread then and the connection closed */
async function textOf(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new AnswerTooLong('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

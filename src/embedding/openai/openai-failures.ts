import { EmbeddingRejected, EmbeddingUnavailable } from '../embedder.ts'

/** Says that the provider gave no vectors, and whether the same call may be tried again. */
export class ProviderFailure extends EmbeddingUnavailable {
  /** Least milliseconds before the next attempt; null if another attempt is pointless for now. */
  readonly waitAtLeastMs: number | null

  constructor(message: string, options: { waitAtLeastMs: number | null; retryAfterMs?: number; cause?: unknown }) {
    super(message, { retryAfterMs: options.retryAfterMs ?? (options.waitAtLeastMs || 1_000), cause: options.cause })
    this.waitAtLeastMs = options.waitAtLeastMs
  }
}

/**
 * Milliseconds until callers try again after a failure that only a changed setting, here or at the provider, can end.
 */
const MISCONFIGURED_RETRY_MS = 60_000
const RETRY_AFTER_MAX_MS = 60 * 60_000

const SETTING_TO_CHECK: Readonly<Record<number, string>> = {
  401: 'EMBEDDING_API_KEY',
  403: 'EMBEDDING_API_KEY',
  404: 'EMBEDDING_URL and EMBEDDING_MODEL',
  405: 'EMBEDDING_URL',
}

/**
 * Turns an answer other than 200 into an error. Only 400, 413 and 422 concern this input. A wrong key, address or model
 * makes every input fail, so the texts stay in the queue until the settings are corrected.
 *
 * The message contains the status and the provider's error code, but never its text, which may quote the input or the
 * key.
 */
export function failureOf(
  status: number,
  body: string,
  retryAfterMs: number | null,
): EmbeddingRejected | ProviderFailure {
  const code = errorCode(body)
  const answered = `the embedding provider answered ${status}${code === null ? '' : ` (${code})`}`
  if (status === 400 || status === 413 || status === 422) return new EmbeddingRejected(answered)
  const isPassing = status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
  if (isPassing) {
    return new ProviderFailure(answered, { waitAtLeastMs: Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS) })
  }
  const setting = SETTING_TO_CHECK[status] ?? 'EMBEDDING_URL'
  return new ProviderFailure(`${answered}: check ${setting}`, {
    waitAtLeastMs: null,
    retryAfterMs: MISCONFIGURED_RETRY_MS,
  })
}

/** Returns the `code` or `type` of `{"error": {"code", "type"}}`; null unless it looks like a name. */
function errorCode(body: string): string | null {
  try {
    const error = (JSON.parse(body) as { error?: { code?: unknown; type?: unknown } } | null)?.error
    const code = error?.code ?? error?.type
    return typeof code === 'string' && /^[a-z][a-z_]{2,39}$/.test(code) ? code : null
  } catch {
    return null
  }
}

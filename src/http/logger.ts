const CAUSES_MAX = 5

/** What is written of an error: no other property, because drivers put rows and parameters there. */
export function describeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error' }
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack ?? '',
    ...(cause === undefined || depth === CAUSES_MAX ? {} : { cause: describeError(cause, depth + 1) }),
  }
}

const SECRETS = ['authorization', 'cookie', 'set-cookie', 'proxy-authorization', 'x-api-key']

/** Places where a header could end up in a log line. */
const REDACTED = SECRETS.flatMap((name) =>
  ['', 'headers.', 'req.headers.', 'request.headers.', 'res.headers.', 'raw.headers.'].map((at) =>
    name.includes('-') ? `${at === '' ? '' : at.slice(0, -1)}["${name}"]` : `${at}${name}`,
  ),
)

/** Settings of pino for this service: JSON lines, errors reduced to what is safe, credentials blotted out. */
export function logSettings(level: string) {
  return {
    level,
    base: undefined,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: (error: unknown) => describeError(error) },
    redact: { paths: REDACTED, censor: '[redacted]' },
  }
}

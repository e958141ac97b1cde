const CAUSES_MAX = 5

interface DescribedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly [more: string]: unknown
}

/**
 * Returns the part of an error that is logged. Other properties are left out, because drivers put rows and parameters
 * there.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an Error', stack: '' }
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

/** Paths at which a log line could contain a secret header. */
const REDACTED = SECRETS.flatMap((name) =>
  ['', 'headers.', 'req.headers.', 'request.headers.', 'res.headers.', 'raw.headers.'].map((at) =>
    name.includes('-') ? `${at === '' ? '' : at.slice(0, -1)}["${name}"]` : `${at}${name}`,
  ),
)

/** Returns the pino settings of this service: JSON lines, errors reduced to safe parts, credentials redacted. */
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

/** Name of a secret path parameter. Together with the sealed record it opens that record. */
const SECRET_PARAMETER = ':uid'
/** Paths with that parameter, whether or not a route exists. */
const SECRET_PATH = /^(\/oauth\/[^/]*\/).+/

/** Returns the path for the log: the route's pattern instead of a secret path. */
export function pathForLog(url: string, pattern: string | undefined): string {
  if (pattern?.includes(SECRET_PARAMETER) === true) return pattern
  const path = url.split('?', 1)[0]
  return pattern === undefined ? path.replace(SECRET_PATH, `$1${SECRET_PARAMETER}`) : path
}

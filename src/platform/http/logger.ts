import type { HttpApp } from './route.ts'

const CAUSES_MAX = 5

interface DescribedError {
  readonly type: string
  readonly message: string
  readonly stack: string
  readonly [more: string]: unknown
}

/** What is written of an error: no other property, because drivers put rows and parameters there. */
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

/** The parameter of a path that opens something: whoever has it and the sealed record can read that. */
const SECRET_PARAMETER = ':uid'
/** Where such paths are, whether a route takes them or not. */
const SECRET_PATH = /^(\/oauth\/[^/]*\/).+/

/** The path as it may be written: the route's pattern in place of what opens something. */
function pathForLog(url: string, pattern: string | undefined): string {
  if (pattern?.includes(SECRET_PARAMETER) === true) return pattern
  const path = url.split('?', 1)[0]
  return pattern === undefined ? path.replace(SECRET_PATH, `$1${SECRET_PARAMETER}`) : path
}

/** Writes a line for each answer; the query is left out, it may hold what somebody searched for. */
export function logRequests(app: HttpApp): void {
  app.addHook('onResponse', (request, reply, done) => {
    const path = pathForLog(request.raw.url as string, request.routeOptions.url)
    const durationMs = Math.round(reply.elapsedTime * 1_000) / 1_000
    request.log.debug({ method: request.method, path, status: reply.statusCode, durationMs }, 'request')
    done()
  })
}

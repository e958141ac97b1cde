import type { FastifyRequest } from 'fastify'
import { pathForLog } from './logger.ts'
import { Repetitions } from './repetitions.ts'

/** Settings of which requests have a line in the log. */
export interface RequestLogOptions {
  /** Percentage of the requests without a fault that have a line. */
  readonly percent: number
  /** Milliseconds from which a request is slow and always has a line; 0 for none. */
  readonly slowMs: number
}

const PROBES = new Set(['/healthz', '/readyz', '/metrics'])
const DEBUGGING = new Set(['debug', 'trace'])
const CLIENT_GONE = 499
const TOO_MANY = 429

/** Called when an answer has ended. */
export type LogAnswer = (request: FastifyRequest, status: number, durationMs: number) => void

/**
 * Returns a function that logs answers: slow ones as warnings with what they spent their time on, faulty ones, and a
 * sample of the others. A refusal that a credential gets again and again on a route has a line a minute. At level
 * `debug` every answer has a line. The query is left out, because it may hold search texts.
 * @param options null logs at `debug` only
 * @param random for the sample, in [0, 1)
 * @param now clock in milliseconds
 */
export function answerLogger(
  options: RequestLogOptions | null,
  random: () => number = Math.random,
  now: () => number = () => performance.now(),
): LogAnswer {
  const { percent = 0, slowMs = 0 } = options ?? {}
  const refusals = new Repetitions()
  return (request, status, durationMs) => {
    const { log, method, record } = request
    const route = request.routeOptions.url
    const isSlow = slowMs > 0 && record.ownMs(durationMs) >= slowMs
    const { tenantId, credentialId } = record
    const isRefusal = options !== null && isRefused(request, status)
    const repeated = isRefusal ? refusals.note([credentialId, status, method, route].join(' '), now()) : 0
    const isFaulty = status >= 500 || (isRefusal && repeated !== null)
    const isSampled = (): boolean => !isRefusal && !isProbe(route) && random() * 100 < percent
    const isChosen = isSlow || (options !== null && (isFaulty || isSampled()))
    if (!isChosen && !DEBUGGING.has(log.level)) return
    const about = {
      method,
      ...(isChosen ? { route: route ?? null } : { path: pathForLog(request.raw.url as string, route) }),
      status,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      ...(tenantId === null ? {} : { tenantId }),
      ...(credentialId === null ? {} : { credentialId }),
      ...(repeated === null || repeated === 0 ? {} : { repeated }),
      ...(record.span === null ? {} : { traceId: record.span.traceId }),
    }
    if (isSlow) log.warn({ ...about, spent: record.spent }, 'slow request')
    else if (isChosen) log.info(about, 'request')
    else log.debug(about, 'request')
  }
}

function isProbe(route: string | undefined): boolean {
  return route !== undefined && PROBES.has(route)
}

/**
 * Tells whether a refusal has a line. Senders without a credential, senders with a publishable key and senders that ask
 * too often do not count, because they could fill the log. A client that went away was not refused.
 */
function isRefused({ record }: FastifyRequest, status: number): boolean {
  if (status >= 500) return false
  const isKnown = record.credentialId !== null && !record.isVisitors
  return status >= 400 && status !== TOO_MANY && status !== CLIENT_GONE && isKnown
}

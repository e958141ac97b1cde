import type { FastifyRequest } from 'fastify'
import { pathForLog } from './logger.ts'

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
 * sample of the others. At level `debug` every answer has a line. The query is left out, because it may hold search
 * texts.
 * @param options null logs at `debug` only
 * @param random for the sample, in [0, 1)
 */
export function answerLogger(options: RequestLogOptions | null, random: () => number = Math.random): LogAnswer {
  const { percent = 0, slowMs = 0 } = options ?? {}
  return (request, status, durationMs) => {
    const { log, method, record } = request
    const route = request.routeOptions.url
    const isSlow = slowMs > 0 && ownMs(request, durationMs) >= slowMs
    const isChosen =
      isSlow || (options !== null && (isFaulty(request, status) || (!isProbe(route) && random() * 100 < percent)))
    if (!isChosen && !DEBUGGING.has(log.level)) return
    const { tenantId, credentialId } = record
    const about = {
      method,
      ...(isChosen ? { route: route ?? null } : { path: pathForLog(request.raw.url as string, route) }),
      status,
      durationMs: Math.round(durationMs * 1_000) / 1_000,
      ...(tenantId === null ? {} : { tenantId }),
      ...(credentialId === null ? {} : { credentialId }),
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
 * Tells whether a fault has a line each time. Senders without a credential, senders with a publishable key and senders
 * that ask too often do not count, because they could fill the log. A client that went away was not refused.
 */
function isFaulty({ record }: FastifyRequest, status: number): boolean {
  if (status >= 500) return true
  const isKnown = record.credentialId !== null && !record.isVisitors
  return status >= 400 && status !== TOO_MANY && status !== CLIENT_GONE && isKnown
}

/** Returns the milliseconds until the answer was ready, without the time that the sender took to send the body. */
function ownMs({ record }: FastifyRequest, durationMs: number): number {
  const { startedAtMs, answeredAtMs, receivingMs } = record
  return (answeredAtMs === null ? durationMs : answeredAtMs - startedAtMs) - receivingMs
}

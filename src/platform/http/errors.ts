import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import { joinFaults } from '../contract/all-faults.ts'
import { FORM_TYPE, JSON_TYPE, NDJSON_TYPE } from '../contract/media-types.ts'
import type { Fault, FaultDetail, FaultKind } from '../faults.ts'
import { faultOf } from '../storage-faults.ts'
import { ignoredFault } from './ignored-fields.ts'

const STATUS_OF_KIND: Readonly<Record<FaultKind, number>> = {
  invalid: 422,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  rate_limited: 429,
  unavailable: 503,
  storage_full: 507,
  storage_damaged: 500,
  quota_exceeded: 507,
  search_capacity: 507,
}

const RETRY_AFTER_SECONDS = 1

/** Statuses that close the connection, because the request's end was not found or its rest is not worth reading. */
const CLOSING_STATUSES: ReadonlySet<number> = new Set([400, 408, 413, 414, 417, 429, 501, 505])

/** A refusal by the HTTP layer itself; rules never make one. */
export interface Refusal {
  readonly status: number
  readonly detail: FaultDetail
}

export const refusal = (status: number, loc: readonly string[], type: string, msg: string): Refusal => ({
  status,
  detail: { loc, msg, type },
})

const typeOf = ({ ndjson, form }: FastifyContextConfig) =>
  ndjson === true ? NDJSON_TYPE : form === true ? FORM_TYPE : JSON_TYPE

/** Refuses a content type. The message names the type that the route takes. */
export const unsupportedMediaType = ({ routeOptions: { config } }: FastifyRequest): Refusal =>
  refusal(
    415,
    ['header', 'content-type'],
    'unsupported_media_type',
    `Content type is not supported, send ${typeOf(config)} in UTF-8`,
  )

export const URL_TOO_LONG = refusal(414, ['path'], 'url_too_long', 'URL is too long')

export const BODY_TIMEOUT = refusal(408, ['body'], 'request_timeout', 'Body took too long to arrive')

export const STOPPING = refusal(503, [], 'unavailable', 'Service is stopping, try again')

export const STARTING = refusal(503, [], 'unavailable', 'Service is starting, try again')

export const BODY_TOO_LARGE = refusal(413, ['body'], 'body_too_large', 'Body is too large')

export const BAD_LENGTH = refusal(400, ['header', 'content-length'], 'bad_request', 'Body and Content-Length differ')

export const BAD_HOST = refusal(400, ['header', 'host'], 'bad_request', 'Exactly one valid Host header is needed')

export const BAD_TARGET = refusal(400, ['header', 'host'], 'bad_request', 'Host and the address asked for differ')

export const BAD_FRAMING = refusal(
  400,
  ['header', 'transfer-encoding'],
  'bad_request',
  'HTTP/1.0 has no Transfer-Encoding, send Content-Length',
)

export const EXPECTATION_FAILED = refusal(
  417,
  ['header', 'expect'],
  'expectation_failed',
  'The only expectation that can be met is 100-continue',
)

export const UNKNOWN_CODING = refusal(
  501,
  ['header', 'transfer-encoding'],
  'not_implemented',
  'The only transfer coding that is understood is chunked',
)

export const ENCODED = refusal(
  415,
  ['header', 'content-encoding'],
  'unsupported_media_type',
  'Send the body as it is, without Content-Encoding',
)

export const UNKNOWN_METHOD = refusal(501, ['path'], 'method_not_allowed', 'Method is not known')

export const UNKNOWN_VERSION = refusal(505, [], 'http_version', 'The service speaks HTTP/1.1')

export const TOO_MANY_CONNECTIONS = refusal(
  429,
  [],
  'too_many_connections',
  'Too many connections from this address, close some or use them again',
)

export const TOO_MANY_BODIES = refusal(
  429,
  ['body'],
  'too_many_unfinished_bodies',
  'Too many bodies from this address are still arriving, send some of them to their end',
)

export const TOO_MANY_PIECES = refusal(
  400,
  ['body'],
  'body_in_small_pieces',
  'Body arrives in very small pieces, send chunks of a kilobyte or more',
)

export const TOO_MANY_FIELDS = refusal(422, ['query'], 'too_long', 'Query should have at most 256 fields')

export const TOO_MANY_WAITING = refusal(
  429,
  [],
  'too_many_requests',
  'Too many requests wait on this connection, read the answers first',
)

const BAD_URL = refusal(422, ['path'], 'string_unicode', 'Path should be valid percent-encoded UTF-8')

const TIMED_OUT = refusal(503, [], 'unavailable', 'Answer took too long, try again')

const BROKEN_BODY = refusal(400, ['body'], 'bad_request', 'Body could not be read')

const BAD_MEDIA_TYPE_CODES: ReadonlySet<unknown> = new Set([
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  'FST_ERR_CTP_INVALID_CONTENT_TYPE',
  'FST_ERR_CTP_EMPTY_TYPE',
])

const REFUSAL_OF_CODE: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: BODY_TOO_LARGE,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: BAD_LENGTH,
  FST_ERR_BAD_URL: BAD_URL,
  FST_ERR_MAX_PARAM_LENGTH: URL_TOO_LONG,
  FST_ERR_HANDLER_TIMEOUT: TIMED_OUT,
  ECONNRESET: BROKEN_BODY,
}

/** Carries a refusal of the HTTP layer through Fastify to `sendError`. */
export class HttpRefusal extends Error {
  readonly refusal: Refusal
  constructor(of: Refusal) {
    super(of.detail.msg)
    this.refusal = of
  }
}

/** Returns the body of every error, unless the route's protocol prescribes another one. */
export function errorBody(details: readonly FaultDetail[]): string {
  return JSON.stringify({ detail: details.map(({ loc, msg, type }) => ({ loc, msg, type })) })
}

/** Answers an error. The answer never contains the input or the cause of an internal error, which is logged. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const code = (error as { code?: unknown } | null)?.code
  const refused =
    error instanceof HttpRefusal
      ? error.refusal
      : request.raw.complete && code === 'ECONNRESET'
        ? null
        : refusalOf(code, request)
  if (refused !== null) return sendRefusal(refused, reply)
  const fault = faultOf(error)
  if (fault !== null) return answerFault(fault, request, reply)
  request.log.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed')
  const detail = { loc: [], msg: `Internal error, request ${request.id}`, type: 'internal' }
  sendDetails(reply, 500, [detail])
}

function refusalOf(code: unknown, request: FastifyRequest): Refusal | null {
  if (BAD_MEDIA_TYPE_CODES.has(code)) return unsupportedMediaType(request)
  return typeof code === 'string' && Object.hasOwn(REFUSAL_OF_CODE, code) ? REFUSAL_OF_CODE[code] : null
}

export function sendRefusal({ status, detail }: Refusal, reply: FastifyReply): void {
  if (status === 503 || status === 429) reply.header('retry-after', String(RETRY_AFTER_SECONDS))
  if (CLOSING_STATUSES.has(status)) reply.header('connection', 'close')
  sendDetails(reply, status, [detail])
}

function sendFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): void {
  const status = STATUS_OF_KIND[fault.kind]
  if (status === 401 || (status === 403 && fault.scopes.length > 0)) {
    const challenge = request.routeOptions.config.challenge ?? challengeOf
    reply.header('www-authenticate', challenge(fault, request))
  }
  const seconds = fault.retryAfterSeconds ?? (status === 503 ? RETRY_AFTER_SECONDS : null)
  if (seconds !== null) reply.header('retry-after', String(seconds))
  if (status >= 500 && !fault.isLogged)
    request.log.warn({ err: fault.cause ?? fault, status }, 'request could not be served')
  sendDetails(reply, status, fault.details)
}

function challengeOf({ kind, scopes }: Fault): string {
  return kind === 'unauthorized' ? 'Bearer' : `Bearer error="insufficient_scope", scope="${scopes.join(' ')}"`
}

/** Answers with faults, in the error body of the request's route. */
export function sendDetails(reply: FastifyReply, status: number, details: readonly FaultDetail[]): void {
  const { request } = reply
  // A request whose address could not be read has no route.
  const write = (request.routeOptions.config as FastifyContextConfig | undefined)?.errorBody ?? errorBody
  reply
    .code(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(write(details, status, request))
}

/**
 * Answers a fault, and adds to a fault of the body the body's further faults. Fastify checks the body before query and
 * headers, but faults are reported in the order path, query, header, body.
 */
function answerFault(fault: Fault, request: FastifyRequest, reply: FastifyReply): void {
  const isOfBody = (fault as { validationContext?: string }).validationContext === 'body'
  const earlier = isOfBody ? firstFault(request, ['querystring', 'headers']) : null
  const { schema, config } = request.routeOptions
  if (earlier !== null || !isOfBody) return sendFault(earlier ?? fault, request, reply)
  const ignored = ignoredFault(request, reply)
  const ofIgnored = ignored === null ? [] : [ignored]
  const contract = (schema?.body ?? NO_FIELDS) as TObject
  if (config.furtherFaults === undefined) return sendFault(joinFaults(fault, ofIgnored, contract), request, reply)
  config.furtherFaults(request).then(
    (further) => sendFault(joinFaults(fault, [...further, ...ofIgnored], contract), request, reply),
    (error: unknown) => sendError(error, request, reply),
  )
}

const NO_FIELDS = { properties: {} }

const VALUE_OF_PART = { params: 'params', querystring: 'query', headers: 'headers' } as const

/**
 * Checks parts of a request before Fastify does, in the order of `parts`. Returns the first fault; null when there is
 * none.
 */
export function firstFault(request: FastifyRequest, parts: readonly (keyof typeof VALUE_OF_PART)[]): Fault | null {
  for (const part of parts) {
    const validate = request.getValidationFunction(part) as ((value: unknown) => unknown) | undefined
    const answer = validate?.(request[VALUE_OF_PART[part]])
    if (answer !== undefined && answer !== true) return (answer as { error: Fault }).error
  }
  return null
}

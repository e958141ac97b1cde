import type { RouteOptions } from 'fastify'
import { FULL_KINDS } from '../full-kinds.ts'

/** Methods that write. */
export const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** The contract of error bodies, and the meaning of each status. */
export const STANDARD_ERRORS = {
  schema: {
    type: 'object',
    description: 'Why a request was refused, one item for each fault',
    required: ['detail'],
    properties: {
      detail: {
        type: 'array',
        items: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: {
            loc: {
              type: 'array',
              items: { type: 'string' },
              description: 'Where the fault is, beginning with body, query, path or header',
            },
            msg: { type: 'string', description: 'What is wrong, without the input' },
            type: { type: 'string', description: 'The kind of fault, for programs' },
          },
        },
      },
    },
  },
  descriptions: {
    400: 'Request is not valid HTTP, or broke off',
    401: 'Credential missing, unknown, expired, revoked, or of another tenant',
    403: 'Scope missing, above the ceiling of the caller, or the tenant is suspended (`tenant_suspended`)',
    404: 'Unknown, or not visible to the caller',
    405: 'Method not allowed on this path; see Allow',
    408: 'Request took too long to arrive',
    409: 'Conflict',
    412: 'If-Match names another version, or there is none',
    413: 'Body too large: over 2 MiB, or over 16 KiB where it may come without a credential and of a DELETE',
    414: 'URL too long',
    415: 'Content type not supported; the message names the one that is',
    417: 'Expect names something else than 100-continue',
    422: 'Input not valid; every fault of the first part that fails, of a body with its metadata and references',
    429: 'Too many requests, too many of its answers still unread, or too many connections of the address; see Retry-After',
    431: 'Headers too large',
    500: 'Internal error; the message holds the request id. Of type storage_damaged: stored data is damaged or the disk fails, and trying again does not help',
    501: 'Method or transfer coding not known',
    503: 'Not available now; see Retry-After. Nothing was changed, unless the type is outcome_unknown: read before you try again',
    505: 'Not HTTP/1.1 or HTTP/1.0',
    507: `Something is full. By type: ${Object.entries(FULL_KINDS)
      .map(([type, means]) => `${type}: ${means}`)
      .join('. ')}`,
  } as Readonly<Record<string, string>>,
} as const

/** Properties of an operation that decide which errors it can answer with. */
interface Shape {
  readonly method: string
  /** Whether the operation needs no credential. */
  readonly isPublic: boolean
  /** Whether the operation needs the credential of an operator. */
  readonly isOfOperator: boolean
  readonly hasBody: boolean
  /** Whether the body is a stream of lines, which has no size that is too large. */
  readonly hasLines: boolean
}

/** Returns the error statuses that follow from an operation's shape, in any order. */
export function impliedStatuses({ method, isPublic, isOfOperator, hasBody, hasLines }: Shape): number[] {
  // Also an operation without body and parameters refuses a field of the query, for a client that prefers it.
  const statuses = new Set<number>([422, 500, 503])
  if (isOfOperator) for (const status of [401, 404, 429]) statuses.add(status)
  else if (!isPublic) for (const status of [401, 403, 429]) statuses.add(status)
  if (hasBody) statuses.add(415)
  if (hasBody && !hasLines) statuses.add(413)
  if (WRITES.has(method)) statuses.add(507)
  return [...statuses]
}

/** Returns the error statuses that a route can answer with: its own, and those that its declaration implies. */
export function statusesOf({ schema, config, method }: RouteOptions): string[] {
  const hasLines = config?.ndjson === true
  const implied = impliedStatuses({
    method: String(method),
    isPublic: config?.public === true,
    isOfOperator: config?.operator === true,
    hasBody: schema?.body !== undefined || hasLines,
    hasLines,
  })
  return [...new Set([...(config?.errors ?? []), ...implied])].sort((a, b) => a - b).map(String)
}

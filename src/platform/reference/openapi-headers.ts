import type { RouteOptions } from 'fastify'
import type { Schema } from '../contract/check-faults.ts'
import { WRITES } from './openapi-errors.ts'
import type { OpenApiParameter } from './openapi.ts'

interface Header {
  readonly description: string
  readonly schema: Schema
}

interface AnswerHeader extends Header {
  /** The one success status that has this header; absent when all have it. */
  readonly status?: string
}

const text = (limits: Schema = {}): Schema => ({ type: 'string', ...limits })

/** Headers in which a gateway says for whom it acts. */
const GATEWAY_HEADERS: Readonly<Record<string, Header>> = {
  'X-Scopes': {
    description: 'Space-separated scopes; can only narrow those of the credential. Absent or empty: all of them',
    schema: text(),
  },
  'X-Audit-Source': {
    description:
      'Channel that a gateway claims; noted in the audit record beside the one the service knows. For gateways only: ' +
      'whoever acts for nobody else leaves it out',
    schema: text({ maxLength: 50 }),
  },
  'X-Client-Id': {
    description: 'OAuth client that a gateway claims; noted in the audit record beside the one the service knows',
    schema: text({ maxLength: 200 }),
  },
}

/** Request headers that a route reads when `config.requestHeaders` names them. */
const REQUEST_HEADERS = {
  'If-Match': {
    description:
      'The ETag of what is meant, such as `"3"`, a list of them, or `*` for any; the request is refused ' +
      'with 412 when there is another version by now, or none where the request may create. Weak tags (`W/"3"`) never match',
    schema: text(),
  },
  'X-Min-Watermark': {
    description:
      'The X-Watermark of a write whose words the search must see, and its meaning unless an outside provider makes the ' +
      'vectors. The search waits for it as long as `Prefer: wait=10` says, in seconds; then it is refused with 503. ' +
      'Without it, a search waits a moment for what was written last, and says with X-Search-Behind what it has not seen',
    schema: text(),
  },
  Prefer: {
    description:
      '`wait=` with the seconds that the search waits for X-Min-Watermark; `partial` to be answered from the part of an ' +
      'index that is being built, in place of 503 (RFC 7240)',
    schema: text(),
  },
  'Accept-Language': {
    description: 'The language that weighs most in it is shown of a translation group; else that of the tenant',
    schema: text(),
  },
} as const satisfies Readonly<Record<string, Header>>

/** Headers that a success answer has when `config.answerHeaders` names them. */
const ANSWER_HEADERS = {
  Location: { description: 'Path of what was created', schema: text(), status: '201' },
  ETag: {
    description:
      'Names this state of what is answered, in double quotes: the version, `"3"`, of a product with its id, or a hash. Always strong; for If-Match',
    schema: text({ pattern: '^"[0-9A-Za-z_-]+"$' }),
  },
  Link: {
    description: '`<path?cursor=…>; rel="next"`, the next page; absent on the last one',
    schema: text(),
  },
  'X-Total-Count': {
    description: 'How many there are on all pages; only with `include_total=true`',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Search-Log-Id': {
    description: 'Names this search in click events',
    schema: text({ format: 'uuid' }),
  },
  'Server-Timing': {
    description: 'Milliseconds by what they were spent on: `embed;dur=1.20, search;dur=0.40`',
    schema: text(),
  },
  'X-Search-Degraded': {
    description: '`embedding` when the provider of embeddings was away and keywords alone decided; else absent',
    schema: text({ enum: ['embedding'] }),
  },
  'X-Search-Exact': {
    description:
      '`false` when the tenant is searched by pgvector and only the most promising of what can be found, or of the words ' +
      'that the query may stand for, was looked at; else absent',
    schema: text({ enum: ['false'] }),
  },
  'X-Search-Behind': {
    description:
      'Present when the answer does not know the latest words and vectors of some documents yet: for tenant:admin their ' +
      'number, else `true`. What may be seen, prices and all other values are the latest',
    schema: text({ pattern: '^(true|[0-9]+)$' }),
  },
  'X-Search-Left-Out': {
    description:
      '`true` when the caller has created the entry and no search finds it, because the search memory of the tenant is ' +
      'full; else absent',
    schema: text({ enum: ['true'] }),
    status: '200',
  },
  'X-Watermark': {
    description: 'Names the write, for X-Min-Watermark of a search. It tells nothing else',
    schema: text({ pattern: '^[0-9A-Za-z_-]{22}$' }),
  },
  'X-Did-You-Mean': {
    description:
      'The query with its misspelt words corrected, percent-encoded. Present if nothing was found, the search asks for ' +
      'relevance, and entries have words near to those of the query',
    schema: text(),
  },
  'X-Sync': {
    description: '`unchanged` when nothing was new; else absent',
    schema: text({ enum: ['unchanged'] }),
    status: '200',
  },
  'X-Cleared': {
    description:
      'Fields that had a value before this write and are empty now, and members of `attributes` and `properties`, such ' +
      'as `brand, properties.size`; names of members are percent-encoded; absent without any',
    schema: text(),
    status: '200',
  },
} as const satisfies Readonly<Record<string, AnswerHeader>>

/** Headers of refusals, by status. */
const REFUSAL_HEADERS: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  // Of the kinds of 507 only search_capacity passes by itself.
  507: ['Retry-After'],
}

const OF_REFUSALS: Readonly<Record<string, Header>> = {
  'Retry-After': {
    description: 'Seconds until another try is worth it; absent where waiting does not help',
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: '`Bearer`; with 403 for a missing scope also `error="insufficient_scope"` and the scope',
    schema: text(),
  },
}

const ALL_OF_ANSWERS: Readonly<Record<string, AnswerHeader>> = { ...ANSWER_HEADERS, ...OF_REFUSALS }

export type RequestHeaderName = keyof typeof REQUEST_HEADERS
export type AnswerHeaderName = keyof typeof ANSWER_HEADERS
/** References to an answer's headers, by name. */
export type HeaderReferences = Readonly<Record<string, { readonly $ref: string }>>

/** Headers of every search. An answer whose body has `search_log_id` gets them without naming them. */
export const SEARCH_HEADERS: readonly AnswerHeaderName[] = [
  'X-Search-Log-Id',
  'Server-Timing',
  'X-Search-Degraded',
  'X-Search-Exact',
  'X-Search-Behind',
]

/** Request headers of every search. */
export const SEARCH_REQUEST_HEADERS: readonly RequestHeaderName[] = ['X-Min-Watermark', 'Prefer']

/** Returns the request headers of a route: its own, then those of gateways. */
export function headerParametersOf({ config, method }: RouteOptions): OpenApiParameter[] {
  const own = (config?.requestHeaders ?? []).map((name) => parameter(name, REQUEST_HEADERS[name]))
  if (config?.public === true || config?.operator === true || config?.optional === 'session') return own
  return [...own, ...gatewayHeadersOf(String(method)).map((name) => parameter(name, GATEWAY_HEADERS[name]))]
}

/** Returns the names of the headers of gateways that an operation takes from every credential of a tenant. */
export function gatewayHeadersOf(method: string): string[] {
  const names = Object.keys(GATEWAY_HEADERS)
  return WRITES.has(method) ? names : names.slice(0, 1)
}

function parameter(name: string, { description, schema }: Header): OpenApiParameter {
  return { name, in: 'header', required: false, description, schema }
}

/** Returns the headers of an answer by status and contract; empty when there are none. */
export function answerHeadersOf(
  { config }: RouteOptions,
  status: string,
  contract: Schema,
): { readonly headers?: HeaderReferences } {
  const isSearch = Object.hasOwn(contract.properties ?? {}, 'search_log_id')
  const named = [...(config?.answerHeaders ?? []), ...(isSearch ? SEARCH_HEADERS : [])]
  const declared = named.filter((name) => {
    const only = ALL_OF_ANSWERS[name].status
    return only === undefined || only === status
  })
  return referencesTo(status.startsWith('2') ? declared : [])
}

/** Returns the headers of a refusal with that status. */
export function refusalHeadersOf(status: string): { readonly headers?: HeaderReferences } {
  return referencesTo(REFUSAL_HEADERS[status] ?? [])
}

function referencesTo(names: readonly string[]): { readonly headers?: HeaderReferences } {
  if (names.length === 0) return {}
  return { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }
}

/** All headers of answers, for the document's components. */
export const HEADER_COMPONENTS: Readonly<Record<string, Header>> = Object.fromEntries(
  Object.entries(ALL_OF_ANSWERS).map(([name, { description, schema }]) => [name, { description, schema }]),
)

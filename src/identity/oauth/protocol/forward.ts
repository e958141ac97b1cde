import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import inject from 'light-my-request'
import type { Provider } from 'oidc-provider'
import { ERROR_PAGE_POLICY } from '../authorize/error-page.ts'
import type { Voucher } from '../clients/client.ts'
import { type Exchange, keepExchange } from './exchange.ts'

/** Request for the OAuth server. */
export interface ForwardedRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The fields of a form. */
  readonly form?: Readonly<Record<string, string>>
  readonly remoteAddress: string
  /** The client that a valid API key vouches for; null or absent without an API key. */
  readonly voucher?: Voucher | null
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/** Headers that are forwarded as they came. Host and protocol are always the issuer's, also behind a proxy. */
const FORWARDED = ['cookie', 'user-agent', 'accept-language'] as const

/**
 * Hands a request to the OAuth server within the process, so that this service applies its own limits, checks and
 * headers to request and answer.
 * @throws the internal error that kept the server from answering, such as a lost database
 */
export async function forward(provider: Provider, request: ForwardedRequest): Promise<ProviderAnswer> {
  const { protocol, host } = new URL(provider.issuer)
  const headers: Record<string, string> = {
    host,
    'x-forwarded-proto': protocol.slice(0, -1),
    accept: request.url.startsWith('/oauth/authorize') ? 'text/html' : 'application/json',
  }
  for (const name of FORWARDED) {
    const value = request.headers[name]
    if (value !== undefined) headers[name] = value
  }
  if (request.headers.authorization !== undefined) headers.authorization = request.headers.authorization
  if (request.form !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded'
  const { method, url, remoteAddress, form, voucher = null } = request
  const payload = form === undefined ? {} : { payload: new URLSearchParams(form).toString() }
  const exchange: Exchange = { voucher }
  const handle = provider.callback()
  const answer = await inject(
    (incoming, outgoing) => {
      keepExchange(incoming, exchange)
      void handle(incoming, outgoing)
    },
    { method, url, headers, remoteAddress, ...payload },
  )
  if (exchange.cause !== undefined) throw exchange.cause
  return { status: answer.statusCode, headers: answer.headers, body: answer.payload }
}

/** Forwards a GET as it came and sends the answer. */
export async function passOn(provider: Provider, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { url = '', headers } = request.raw
  return answerWith(reply, await forward(provider, { method: 'GET', url, headers, remoteAddress: request.ip }))
}

const RETURNED = ['content-type', 'location', 'set-cookie', 'www-authenticate', 'pragma'] as const

/** Sends the answer of the OAuth server, with the headers that every answer of this service has. */
export function answerWith(reply: FastifyReply, { status, headers, body }: ProviderAnswer): FastifyReply {
  for (const name of RETURNED) {
    const value = headers[name]
    if (value !== undefined) reply.header(name, value)
  }
  // The OAuth server answers with a page only for an error.
  if (String(headers['content-type']).startsWith('text/html'))
    reply.header('content-security-policy', ERROR_PAGE_POLICY)
  return reply.code(status).send(body)
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '../../../platform/faults.ts'
import { sendError } from '../../../platform/http/errors.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import type { RealmFor } from '../../tenants/realm.ts'
import { AddressLimit } from '../address-limit.ts'
import { completeParams } from './authorize-params.ts'
import { ERROR_PAGE_POLICY, errorPage, tooManyPage } from './error-page.ts'
import { answerWith, forward, passOn } from '../protocol/forward.ts'
import { ROUTES } from '../paths.ts'
import type { ProviderPool } from '../protocol/provider-pool.ts'

const HTML = 'text/html; charset=utf-8'
const POLICY = 'content-security-policy'
/** Limit for one address: each request to authorize is stored before a person has signed in. */
const REQUESTS = { atOnce: 60, perMinute: 30 }

/** Serves the authorization endpoint, and the paths below it where a browser goes on after sign-in and consent. */
export function authorizeRoutes(pool: ProviderPool, realmFor: RealmFor): RoutePlugin {
  const requests = new AddressLimit(REQUESTS)
  return (app) => {
    app.route({
      method: ['GET', 'POST'],
      url: ROUTES.authorization,
      config: { public: true, hidden: true, form: true },
      onRequest: (request, _reply, done) => {
        requests.take(request.ip)
        done()
      },
      errorHandler: sendPage,
      handler: async (request, reply) => {
        const realm = await realmFor(request)
        const query =
          request.method === 'POST' ? formParams(request.body) : new URL(request.url, realm.issuer).searchParams
        const params = completeParams(realm, query)
        if (typeof params === 'string') {
          const page = errorPage('invalid_request', params, request.headers['accept-language'])
          return reply.code(400).type(HTML).header(POLICY, ERROR_PAGE_POLICY).send(page)
        }
        // Drop the OAuth server's cookie: only the session of this service says who is signed in.
        const { cookie: _cookie, ...headers } = request.raw.headers
        const url = `${ROUTES.authorization}?${params.toString()}`
        const provider = await pool.of(realm)
        return answerWith(reply, await forward(provider, { method: 'GET', url, headers, remoteAddress: request.ip }))
      },
    })
    app.route({
      method: 'GET',
      url: `${ROUTES.authorization}/:uid`,
      config: { public: true, hidden: true },
      handler: async (request, reply) => passOn(await pool.of(await realmFor(request)), request, reply),
    })
  }
}

/** Answers too many requests with a page, because a person in a browser reads the refusal. */
function sendPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (!(error instanceof Fault) || error.kind !== 'rate_limited') return sendError(error, request, reply)
  const seconds = error.retryAfterSeconds ?? 1
  const page = tooManyPage(seconds, request.headers['accept-language'])
  reply.code(429).header('retry-after', String(seconds)).type(HTML).header(POLICY, ERROR_PAGE_POLICY).send(page)
}

function formParams(body: unknown): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    for (const value of [values].flat()) params.append(name, value)
  }
  return params
}

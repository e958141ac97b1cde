import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Publishable } from '../access/caller.ts'
import { isPublishableRoute } from '../access/publishable-routes.ts'
import { forbidden } from '../faults.ts'
import { clientAddress } from '../throttling/client-address.ts'
import { TokenBuckets } from '../throttling/token-buckets.ts'
import type { HttpApp } from './route.ts'

/** Tells whether pages of an origin may use any valid publishable key of the tenants reached at a host. */
export type IsOriginAllowed = (origin: string, host: string) => Promise<boolean>

const MINUTE_MS = 60_000
/** Seconds for which a browser keeps the answer to a preflight; Chromium keeps none for longer. */
const PREFLIGHT_SECONDS = 7_200
const REQUEST_HEADERS = 'Authorization, Content-Type, Accept-Language, Prefer, X-Min-Watermark'
const ANSWER_HEADERS =
  'X-Search-Log-Id, X-Search-Degraded, X-Search-Exact, X-Search-Behind, X-Did-You-Mean, X-Total-Count, X-Ignored, ' +
  'X-Request-Id, Server-Timing, Preference-Applied, Retry-After'
const KEY_PARAMETER = 'publishable_key'
const KEY_FORM = /^pk_\w+$/
const TOO_MANY = { loc: ['header', 'authorization'], msg: 'Too many requests from this address, try again' }

/**
 * Admits pages of other origins with publishable keys: checks their routes and origins, counts their requests, and sets
 * CORS headers.
 */
export class PageAccess {
  /** Allowances of addresses; null without a limit. */
  readonly #visitors: TokenBuckets | null
  readonly #isOriginAllowed: IsOriginAllowed

  /** @param perMinute requests of an address with one key, and its preflights; 0 for no limit */
  constructor(perMinute: number, isOriginAllowed: IsOriginAllowed) {
    this.#visitors = perMinute > 0 ? new TokenBuckets(perMinute, MINUTE_MS / perMinute) : null
    this.#isOriginAllowed = isOriginAllowed
  }

  /**
   * Admits a request with a publishable key. A request without Origin is admitted: only browsers send a true Origin,
   * and any other program could invent one, so a refusal would keep out no attacker.
   * @throws Fault forbidden on another route or a page of another origin, rate_limited with the seconds to wait
   */
  admit(request: FastifyRequest, reply: FastifyReply, { credentialId }: Caller, { origins }: Publishable): void {
    const { method, headers, routeOptions } = request
    if (!isPublishableRoute(method, routeOptions.url ?? '')) {
      throw forbidden(['header', 'authorization'], 'A publishable key may only search, suggest and report clicks')
    }
    if (headers.origin !== undefined) {
      reply.header('vary', 'Origin')
      if (!origins.includes(headers.origin)) {
        throw forbidden(['header', 'origin'], 'Pages of this origin may not use this key')
      }
      reply.header('access-control-allow-origin', headers.origin)
      reply.header('access-control-expose-headers', ANSWER_HEADERS)
    }
    this.#count(visitorsName(credentialId, request.ip))
  }

  /**
   * Counts searches of a request beyond its first.
   * @param before how many of them were counted already
   * @throws Fault rate_limited with the seconds to wait
   */
  countSearches(credentialId: string | null, ip: string, before: number, count: number): void {
    this.#visitors?.takeMoreOrRefuse(visitorsName(credentialId, ip), before, count, Date.now(), TOO_MANY)
  }

  /** Adds the route that answers the preflights of a path. The answer names the one method that pages may use there. */
  answerPreflights(app: HttpApp, url: string, method: string): void {
    app.route({
      method: 'OPTIONS',
      url,
      config: { public: true, hidden: true },
      handler: async ({ headers: { origin }, host, ip }, reply) => {
        reply.header('vary', 'Origin')
        this.#count(`preflight ${clientAddress(ip)}`)
        if (origin === undefined || !(await this.#isOriginAllowed(origin, host))) {
          throw forbidden(['header', 'origin'], 'No publishable key is for pages of this origin')
        }
        reply.header('access-control-allow-origin', origin)
        reply.header('access-control-allow-methods', method)
        reply.header('access-control-allow-headers', REQUEST_HEADERS)
        reply.header('access-control-max-age', String(PREFLIGHT_SECONDS))
        return reply.code(204).send()
      },
    })
  }

  #count(name: string): void {
    this.#visitors?.takeOrRefuse(name, Date.now(), TOO_MANY)
  }
}

/** Returns the name under which requests are counted together: those of one address with one key. */
function visitorsName(credentialId: string | null, ip: string): string {
  return `${credentialId} ${clientAddress(ip)}`
}

/**
 * Returns the Authorization header, or one made of a publishable key in the query. A GET with the key in its address
 * needs no preflight (Fetch standard, section 3.2.3); a suggestion box would otherwise send a preflight at each
 * keystroke. The key is deleted from the query, so that no route meets it.
 */
export function authorizationOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.raw.headers
  if (authorization !== undefined || !isPublishableRoute(request.method, request.routeOptions.url ?? '')) {
    return authorization
  }
  const query = request.query as Record<string, unknown>
  const key = query[KEY_PARAMETER]
  if (typeof key !== 'string' || !KEY_FORM.test(key)) return undefined
  delete query[KEY_PARAMETER]
  return `Bearer ${key}`
}

import type { RoutePlugin } from '../http/route.ts'
import { completeParams } from './authorize-params.ts'
import { errorPage } from './error-page.ts'
import { answerWith, forward } from './forward.ts'
import { FORM_BYTES_MAX, ROUTES } from './paths.ts'
import type { ProviderPool } from './provider-pool.ts'
import type { RealmFor } from './realm.ts'

/** People's browsers come here, and to its paths below when they have signed in or consented. */
export function authorizeRoutes(pool: ProviderPool, realmFor: RealmFor): RoutePlugin {
  return (app) => {
    app.route({
      method: ['GET', 'POST'],
      url: ROUTES.authorization,
      bodyLimit: FORM_BYTES_MAX,
      config: { public: true, hidden: true, form: true },
      handler: async (request, reply) => {
        const realm = await realmFor(request)
        const sent =
          request.method === 'POST' ? formParams(request.body) : new URL(request.url, realm.issuer).searchParams
        const params = completeParams(realm, sent)
        if (params === null) {
          const page = errorPage('invalid_request', 'response_mode must be query or fragment')
          return reply.code(400).type('text/html; charset=utf-8').send(page)
        }
        // Each request begins anew: who is signed in is known by our own session alone.
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
      handler: async (request, reply) => {
        const provider = await pool.of(await realmFor(request))
        const { url, headers } = request.raw
        return answerWith(
          reply,
          await forward(provider, { method: 'GET', url: url ?? '', headers, remoteAddress: request.ip }),
        )
      },
    })
  }
}

function formParams(body: unknown): URLSearchParams {
  const params = new URLSearchParams()
  for (const [name, values] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    for (const value of [values].flat()) params.append(name, value)
  }
  return params
}

import { fileURLToPath } from 'node:url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendAsset } from '../../platform/pages/assets.ts'
import { pageHeaders } from '../../platform/pages/page-headers.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { readConsole } from './files.ts'

const BUILD = fileURLToPath(new URL('../../../console/dist', import.meta.url))

/** Pages need no credential: they are the same for every person, and get their data from the API. */
const OPEN = { public: true, hidden: true } as const
/**
 * Pages are served to everybody, but whose session the browser has decides where pictures may come from. Without its
 * session, or while that cannot be looked up, the page is the same with the stricter policy.
 */
const BY_SESSION = { optional: 'session', bestEffort: true, hidden: true } as const

/**
 * Serves the administration console: one HTML page for every address below `/console` and for consent, and the files it
 * loads. `/` redirects browsers to the console and programs to the reference.
 * @param folder the build, read once
 */
export function consoleRoutes(folder: string = BUILD): RoutePlugin {
  return (app) => {
    const files = readConsole(folder)
    if (files === null) app.log.warn({ folder }, 'the console is not built; run npm run console')

    const page = (caching: 'no-cache' | 'no-store') => {
      const [strict, withPictures] = [pageHeaders(caching), pageHeaders(caching, true)]
      return ({ caller, routeOptions }: FastifyRequest, reply: FastifyReply) => {
        if (files === null) return reply.callNotFound()
        const mayHave = routeOptions.config.optional === 'session' && (caller?.tenant.settings.foreignPictures ?? false)
        return reply.headers(mayHave ? withPictures : strict).send(files.index)
      }
    }
    app.route({ method: 'GET', url: '/console', config: BY_SESSION, handler: page('no-cache') })
    app.route({ method: 'GET', url: '/console/*', config: BY_SESSION, handler: page('no-cache') })
    app.route({ method: 'GET', url: '/oauth/interaction/:uid', config: OPEN, handler: page('no-store') })

    app.route({
      method: 'GET',
      url: '/console/assets/:name',
      config: OPEN,
      handler: (request, reply) => {
        const { name } = request.params as { name: string }
        const asset = files?.assets.get(name)
        if (asset === undefined) return reply.callNotFound()
        return sendAsset(asset, request, reply)
      },
    })

    app.route({
      method: 'GET',
      url: '/',
      config: OPEN,
      // People open this address, because the start prints it.
      handler: ({ headers }, reply) =>
        reply
          .header('vary', 'Accept')
          .redirect(/\btext\/html\b/.test(headers.accept ?? '') ? '/console' : '/docs', 302),
    })
  }
}

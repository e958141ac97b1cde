import type { FastifyReply } from 'fastify'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { Type } from '../../platform/contract/schema.ts'
import { sessionCookie } from '../credentials/session-cookie.ts'
import type { PendingLinks } from './pending-links.ts'
import type { PendingSignIns } from './pending-sign-in.ts'
import type { ProviderFault, ProviderRules } from './provider-rules.ts'
import { DEFAULT_PATH, returnPath } from './return-path.ts'
import { signInFacts } from './routes.ts'
import { stepCookie } from './factors/cookies.ts'
import { STEP_SECONDS } from './session-opener.ts'

const url = '/sign-in/provider'
const SIGN_IN_PAGE = '/console/sign-in'
const Query = Type.Object({
  return_to: Type.Optional(Type.String()),
  tenant: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
})

/** Serves the redirects that send a browser to the outside provider and take it back. */
export function providerRoutes(
  rules: ProviderRules,
  { pendings, links }: { readonly pendings: PendingSignIns; readonly links: PendingLinks },
  publicUrl: () => string,
): RoutePlugin {
  const isSecure = () => publicUrl().startsWith('https:')
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: { querystring: Query },
      config: { public: true, hidden: true },
      handler: async (request, reply) => {
        const { return_to: raw, tenant = null } = request.query
        const returnTo = returnPath(raw)
        // A foreign page must not sign a person in to a tenant of its choice: the person names the tenant.
        const site = request.headers['sec-fetch-site']
        if (tenant !== null && (site === 'cross-site' || site === 'same-site'))
          return toSignInPage(reply, 'tenant_needed', returnTo)
        const start = await rules.begin(signInFacts(request), { returnTo, tenant })
        if (typeof start === 'string') return toSignInPage(reply, start, returnTo)
        return reply.header('set-cookie', pendings.keep(start.pending, isSecure())).redirect(start.location, 302)
      },
    })
    app.route({
      method: 'GET',
      url: `${url}/callback`,
      config: { public: true, hidden: true },
      handler: async (request, reply) => {
        const pending = pendings.read(request.headers.cookie, isSecure())
        reply.header('set-cookie', pendings.forget(isSecure()))
        if (pending === null) return toSignInPage(reply, 'provider_failed', DEFAULT_PATH)
        const query = /\?.*$/.exec(request.raw.url!)?.[0] ?? ''
        const signIn = await rules.finish(signInFacts(request), query, pending)
        if (typeof signIn === 'string') return toSignInPage(reply, signIn, pending.returnTo)
        if (signIn.kind === 'link') {
          reply.header('set-cookie', links.keep(signIn.link, isSecure()))
          return toSignInPage(reply, 'link_proof_needed', pending.returnTo)
        }
        if (signIn.kind === 'step') {
          reply.header('set-cookie', stepCookie(signIn.secret, isSecure(), STEP_SECONDS))
          const query = new URLSearchParams({ second_step: '1', return_to: pending.returnTo })
          return reply.redirect(`${SIGN_IN_PAGE}?${query.toString()}`, 302)
        }
        // A second Set-Cookie; the first removes the pending sign-in.
        reply.header('set-cookie', sessionCookie(signIn.secret, isSecure(), signIn.seconds))
        return reply.redirect(pending.returnTo, 302)
      },
    })
  }
}

function toSignInPage(reply: FastifyReply, fault: ProviderFault | 'link_proof_needed', returnTo: string): FastifyReply {
  const query = new URLSearchParams({ fault, return_to: returnTo })
  return reply.redirect(`${SIGN_IN_PAGE}?${query.toString()}`, 302)
}

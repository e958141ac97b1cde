import type { FastifyRequest } from 'fastify'
import { demandSameOrigin } from '../../platform/http/caller.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { NoContent } from '../../platform/contract/schema.ts'
import { readSessionCookie, sessionCookie } from '../credentials/session-cookie.ts'
import { clientAddress } from '../../platform/throttling/client-address.ts'
import { Session, SignedOut, SignIn, SignInMethods } from './contract.ts'
import type { KnownDevices } from './known-devices.ts'
import type { OwnProof } from './own-proof.ts'
import type { ProviderSignOut } from './provider-sign-out.ts'
import type { SessionRules, SignInFacts } from './rules.ts'
import { SecondStep } from './factors/contract.ts'
import { stepCookie } from './factors/cookies.ts'
import { SESSION_SECONDS, STEP_SECONDS } from './session-opener.ts'

const tags = ['Sign-in']
const url = '/api/session'
const ABOUT =
  'For pages of the service itself: the request must come from the same origin, which a browser states in `Origin` or ' +
  '`Sec-Fetch-Site`. Programs use an API key.'

export interface SessionRoutesOptions {
  /** Base address as clients know it. With https, cookies are sent over TLS only. */
  readonly publicUrl: () => string
  /** Text on the button for the outside provider; null without a provider. */
  readonly providerName: string | null
  readonly devices: KnownDevices
  readonly proof: OwnProof
  /** Ends the session at the outside provider too; null without a provider. */
  readonly providerSignOut: ProviderSignOut | null
  /** Whether the service sends mail. */
  readonly hasMail?: boolean
}

/** Returns the host that a person signs in at, and the address and browser that the request comes from. */
export function signInFacts({ host, ip, headers }: Pick<FastifyRequest, 'host' | 'ip' | 'headers'>): SignInFacts {
  return { host, address: clientAddress(ip), browser: headers['user-agent'] }
}

/** Serves sign-in, sign-out and the current session. */
export function sessionRoutes(
  rules: SessionRules,
  { publicUrl, providerName, devices, proof, providerSignOut, hasMail = false }: SessionRoutesOptions,
): RoutePlugin {
  const isSecure = () => publicUrl().startsWith('https:')
  return (app) => {
    app.addHook('onClose', () => rules.close())
    app.route({
      method: 'GET',
      url: `${url}/methods`,
      schema: {
        operationId: 'getSignInMethods',
        tags,
        summary: 'How people may sign in',
        response: { 200: SignInMethods },
      },
      config: { public: true },
      handler: () => ({
        password: true,
        provider: providerName === null ? null : { name: providerName },
        ...(hasMail ? { forgotten_password: true } : {}),
      }),
    })
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'signIn',
        tags,
        summary: 'Sign in with email address and password',
        description:
          'Sets a cookie that is a credential for 12 hours, with every permission of its user. For a person with a ' +
          'second factor the answer is 202, with a cookie that is good for `POST /api/session/second-factor` alone. All ' +
          'failures get the same 401. When email address and password are right for several tenants, the answer is 422 of type ' +
          `\`tenant_needed\`; send \`tenant\` to choose one. ${ABOUT}`,
        body: SignIn,
        response: { 200: Session, 202: SecondStep },
      },
      config: { public: true, errors: [401, 403, 429] },
      preHandler: (request, _reply, done) => {
        demandSameOrigin(request)
        done()
      },
      handler: async (request, reply) => {
        const { cookie } = request.headers
        const device = devices.read(cookie, isSecure())
        const outcome = await rules.signIn(request.body, signInFacts(request), device)
        const { secret } = outcome
        if ('step' in outcome) {
          reply.code(202).header('set-cookie', stepCookie(secret, isSecure(), STEP_SECONDS))
          return outcome.step
        }
        const settled = await proof.settle(cookie, isSecure(), outcome.session)
        reply.header('set-cookie', [sessionCookie(secret, isSecure(), SESSION_SECONDS), ...settled])
        return outcome.session
      },
    })
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'getSession',
        tags,
        summary: 'Who is asking, and what they may do',
        description: 'For any credential: a session, an API key or an access token.',
        response: { 200: Session },
      },
      config: { beforeSecondFactor: true },
      handler: (request) => rules.current(request.caller),
    })
    app.route({
      method: 'DELETE',
      url,
      schema: {
        operationId: 'signOut',
        tags,
        summary: 'Sign out',
        description:
          'Ends the session of the cookie and removes the cookie. Succeeds without a session too. For a session of the ' +
          'outside provider the answer is 200 with the address at which the browser ends the one there. ' +
          ABOUT,
        response: { 200: SignedOut, 204: NoContent },
      },
      config: { public: true, errors: [403] },
      handler: async (request, reply) => {
        demandSameOrigin(request)
        const secret = readSessionCookie(request.headers.cookie, isSecure())
        const ended = secret === null ? null : await rules.signOut(secret)
        reply.header('set-cookie', sessionCookie('', isSecure(), 0))
        const address = ended === null ? null : ((await providerSignOut?.addressFor(ended)) ?? null)
        return address === null ? reply.code(204).send(null) : { provider_sign_out: address }
      },
    })
  }
}

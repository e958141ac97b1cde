import type { FastifyReply, FastifyRequest } from 'fastify'
import { demandSameOrigin } from '../../../platform/http/caller.ts'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { sessionCookie } from '../../credentials/session-cookie.ts'
import { Session } from '../contract.ts'
import { signInFacts } from '../routes.ts'
import type { OwnProof } from '../own-proof.ts'
import type { NewSession } from '../rules.ts'
import { SESSION_SECONDS } from '../session-opener.ts'
import { FactorProof, PasskeyOptions, PasskeySignIn, SecondStep } from './contract.ts'
import { challengeCookie, readChallengeCookie, readStepCookie, stepCookie } from './cookies.ts'
import type { SecondStepRules } from './second-step-rules.ts'

const tags = ['Sign-in']
const url = '/api/session'
const CHALLENGE_SECONDS = 300
const WAITS =
  'For the browser in which `POST /api/session` answered 202: its cookie names the sign-in that waits, for ten minutes ' +
  'and five wrong tries.'

const preHandler = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
  demandSameOrigin(request)
  done()
}

/** Serves the second step of a sign-in, and sign-in by passkey alone. */
export function secondStepRoutes(rules: SecondStepRules, publicUrl: () => string, proof: OwnProof): RoutePlugin {
  const isSecure = () => publicUrl().startsWith('https:')
  const stepSecret = ({ headers }: FastifyRequest) => readStepCookie(headers.cookie, isSecure())
  /** Sets the cookie of the session. @param removal the Set-Cookie header that removes the cookie of the sign-in */
  const answerWith = async (
    { headers }: FastifyRequest,
    reply: FastifyReply,
    { secret, session }: NewSession,
    removal: string,
  ) => {
    const settled = await proof.settle(headers.cookie, isSecure(), session)
    reply.header('set-cookie', [sessionCookie(secret, isSecure(), SESSION_SECONDS), removal, ...settled])
    return session
  }
  return (app) => {
    app.route({
      method: 'GET',
      url: `${url}/second-factor`,
      schema: {
        operationId: 'getSecondStep',
        tags,
        summary: 'What a sign-in waits for',
        description: WAITS,
        response: { 200: SecondStep },
      },
      config: { public: true, errors: [401] },
      handler: (request) => rules.state(stepSecret(request), signInFacts(request)),
    })
    app.route({
      method: 'POST',
      url: `${url}/second-factor/passkey-options`,
      schema: {
        operationId: 'beginPasskeyStep',
        tags,
        summary: 'Ask for a passkey as the second factor',
        description: WAITS,
        response: { 200: PasskeyOptions },
      },
      config: { public: true, errors: [401, 403] },
      preHandler,
      handler: async (request) => ({ options: await rules.passkeyOptions(stepSecret(request), signInFacts(request)) }),
    })
    app.route({
      method: 'POST',
      url: `${url}/second-factor`,
      schema: {
        operationId: 'finishSignIn',
        tags,
        summary: 'Sign in with the second factor',
        description:
          `${WAITS} A wrong proof is a 401; of type \`sign_in_again\` when nothing waits any more. Codes and recovery ` +
          'codes count once.',
        body: FactorProof,
        response: { 200: Session },
      },
      config: { public: true, errors: [401, 403, 429] },
      preHandler,
      handler: async (request, reply) => {
        const opened = await rules.finish(stepSecret(request), request.body, signInFacts(request))
        return answerWith(request, reply, opened, stepCookie('', isSecure(), 0))
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/passkey-options`,
      schema: {
        operationId: 'beginPasskeySignIn',
        tags,
        summary: 'Ask for a passkey to sign in with',
        description: 'Names nobody: the browser offers the passkeys that it has for this host.',
        response: { 200: PasskeyOptions },
      },
      config: { public: true, errors: [403, 429] },
      preHandler,
      handler: async (request, reply) => {
        const { options, secret } = await rules.begin(signInFacts(request))
        reply.header('set-cookie', challengeCookie(secret, isSecure(), CHALLENGE_SECONDS))
        return { options }
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/passkey`,
      schema: {
        operationId: 'signInWithPasskey',
        tags,
        summary: 'Sign in with a passkey',
        description:
          'A passkey that verified its owner (by a finger, a face or a PIN) is both factors at once. All failures get ' +
          'the same 401.',
        body: PasskeySignIn,
        response: { 200: Session },
      },
      config: { public: true, errors: [401, 403, 429] },
      preHandler,
      handler: async (request, reply) => {
        const secret = readChallengeCookie(request.headers.cookie, isSecure())
        const opened = await rules.signIn(secret, request.body.passkey, signInFacts(request))
        return answerWith(request, reply, opened, challengeCookie('', isSecure(), 0))
      },
    })
  }
}

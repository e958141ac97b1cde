import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RoutePlugin } from '../../../platform/http/route.ts'
import { signInFacts } from '../../sessions/routes.ts'
import type { RealmFor } from '../../tenants/realm.ts'
import { Consent, InteractionDetails, InteractionParams, NextLocation } from '../contract.ts'
import type { InteractionRules, PendingRequest, Result } from './interaction-rules.ts'
import { INTERACTION } from '../paths.ts'
import type { ProviderPool } from '../protocol/provider-pool.ts'

type AnyRequest = Pick<FastifyRequest, 'raw' | 'host' | 'params'>

const BASE = `${INTERACTION}/:uid`

/** Serves the console's pages for sign-in and consent. The routes are not meant for programs. */
export function interactionRoutes(rules: InteractionRules, pool: ProviderPool, realmFor: RealmFor): RoutePlugin {
  /** Finds the request that waits in the browser, by the browser's cookies. */
  const open = async (request: AnyRequest, { raw }: FastifyReply): Promise<PendingRequest> => {
    const provider = await pool.of(await realmFor(request))
    const { uid } = request.params as { uid: string }
    return rules.open(provider, uid, () => provider.interactionDetails(request.raw, raw))
  }
  /** Hands the result to the OAuth server. @returns the address that the browser goes to next */
  const finish = async ({ provider }: PendingRequest, result: Result, { raw }: AnyRequest, reply: FastifyReply) => ({
    location: await provider.interactionResult(raw, reply.raw, result, { mergeWithLastSubmission: true }),
  })
  const config = { optional: 'session', hidden: true } as const
  const schema = { params: InteractionParams }
  const answer = { response: { 200: NextLocation } }
  return (app) => {
    app.route({
      method: 'GET',
      url: `${BASE}/details`,
      schema: { ...schema, response: { 200: InteractionDetails } },
      config,
      handler: async (request, reply) => rules.details(await open(request, reply), request.caller),
    })
    app.route({
      method: 'POST',
      url: `${BASE}/continue`,
      schema: { ...schema, ...answer },
      config,
      handler: async (request, reply) => {
        const pending = await open(request, reply)
        return finish(pending, await rules.signIn(pending, request.caller), request, reply)
      },
    })
    app.route({
      method: 'POST',
      url: `${BASE}/consent`,
      schema: { ...schema, ...answer, body: Consent },
      config,
      handler: async (request, reply) => {
        const pending = await open(request, reply)
        const tell = (result: Result) => finish(pending, result, request, reply)
        return rules.consent(pending, request.caller, request.body, signInFacts(request), tell)
      },
    })
    app.route({
      method: 'POST',
      url: `${BASE}/deny`,
      schema: { ...schema, ...answer },
      config,
      handler: async (request, reply) => finish(await open(request, reply), rules.deny(), request, reply),
    })
  }
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/database.ts'
import type { RoutePlugin } from '../http/route.ts'
import { Consent, InteractionDetails, InteractionParams, NextLocation } from './contract.ts'
import type { Browser, InteractionRules } from './interaction-rules.ts'
import { INTERACTION } from './paths.ts'
import { realmOf } from './realm.ts'

const BASE = `${INTERACTION}/:uid`

/** What the pages for signing in and consenting ask the service. They are for the console, not for programs. */
export function interactionRoutes(database: Database, rules: InteractionRules, publicUrl: () => string): RoutePlugin {
  const browserOf = async (request: FastifyRequest, reply: FastifyReply): Promise<Browser> => ({
    realm: await realmOf(database.queries, request.host, publicUrl()),
    uid: (request.params as { uid: string }).uid,
    req: request.raw,
    res: reply.raw,
    person: request.caller,
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
      handler: async (request, reply) => rules.details(await browserOf(request as FastifyRequest, reply)),
    })
    app.route({
      method: 'POST',
      url: `${BASE}/continue`,
      schema: { ...schema, ...answer },
      config,
      handler: async (request, reply) => ({
        location: await rules.signIn(await browserOf(request as FastifyRequest, reply)),
      }),
    })
    app.route({
      method: 'POST',
      url: `${BASE}/consent`,
      schema: { ...schema, ...answer, body: Consent },
      config,
      handler: async (request, reply) => ({
        location: await rules.consent(await browserOf(request as FastifyRequest, reply), request.body.scopes),
      }),
    })
    app.route({
      method: 'POST',
      url: `${BASE}/deny`,
      schema: { ...schema, ...answer },
      config,
      handler: async (request, reply) => ({
        location: await rules.deny(await browserOf(request as FastifyRequest, reply)),
      }),
    })
  }
}

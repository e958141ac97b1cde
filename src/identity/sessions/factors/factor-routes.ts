import type { RoutePlugin } from '../../../platform/http/route.ts'
import { NoContent, UuidParams } from '../../../platform/contract/schema.ts'
import { signInFacts } from '../routes.ts'
import {
  Confirmation,
  FactorAdded,
  Factors,
  Passkey,
  PasskeyAdded,
  PasskeyChange,
  PasskeyCreate,
  PasskeyOptions,
  RecoveryCodes,
  TotpConfirmation,
  TotpSetup,
} from './contract.ts'
import type { FactorRules } from './factor-rules.ts'

const tags = ['Second factors']
const url = '/api/session/factors'
const passkeyUrl = `${url}/passkeys/:passkey_id`
const OWN =
  'A person’s own, for their session in a browser alone: API keys and access tokens count as no credential here.'
const CONFIRMED =
  'Asks who acts: send their password or one of their factors. Without either, sign in at the provider again first.'
const ALWAYS_CONFIRMED = 'Always asks who acts: send their password or one of their factors.'
/** Access to the routes, also for a person who must set up a second factor before using any other route. */
const open = { optional: 'session', beforeSecondFactor: true } as const

/** Serves a person's own second factors. */
export function factorRoutes(rules: FactorRules): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listFactors',
        tags,
        summary: 'List my second factors',
        description: OWN,
        response: { 200: Factors },
      },
      config: open,
      handler: (request) => rules.list(request.caller),
    })
    app.route({
      method: 'POST',
      url: `${url}/totp`,
      schema: {
        operationId: 'beginTotp',
        tags,
        summary: 'Begin to set up an authenticator app',
        description:
          `Answers a new secret (RFC 6238: SHA-1, six digits, 30 seconds), which the next code confirms. An app that is ` +
          `there already stays until then. ${CONFIRMED} ${OWN}`,
        body: Confirmation,
        response: { 200: TotpSetup },
      },
      config: open,
      handler: (request) => rules.beginTotp(request.caller, request.body, signInFacts(request)),
    })
    app.route({
      method: 'POST',
      url: `${url}/totp/confirm`,
      schema: {
        operationId: 'confirmTotp',
        tags,
        summary: 'Confirm the authenticator app with a code',
        description: `The first factor brings ten recovery codes and ends the person’s other sessions. ${OWN}`,
        body: TotpConfirmation,
        response: { 200: FactorAdded },
      },
      config: { ...open, errors: [409] },
      handler: (request) => rules.confirmTotp(request.caller, request.body.code, signInFacts(request)),
    })
    app.route({
      method: 'POST',
      url: `${url}/totp/remove`,
      schema: {
        operationId: 'removeTotp',
        tags,
        summary: 'Remove the authenticator app',
        description: `${ALWAYS_CONFIRMED} The last factor stays while the tenant demands one (409). ${OWN}`,
        body: Confirmation,
        response: { 204: NoContent },
      },
      config: { ...open, errors: [404, 409] },
      handler: async (request, reply) => {
        await rules.removeTotp(request.caller, request.body, signInFacts(request))
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/recovery-codes`,
      schema: {
        operationId: 'renewRecoveryCodes',
        tags,
        summary: 'Make new recovery codes',
        description: `Ten codes that count once each; earlier ones end. ${ALWAYS_CONFIRMED} ${OWN}`,
        body: Confirmation,
        response: { 200: RecoveryCodes },
      },
      config: { ...open, errors: [409] },
      handler: (request) => rules.renewCodes(request.caller, request.body, signInFacts(request)),
    })
    app.route({
      method: 'POST',
      url: `${url}/passkey-options`,
      schema: {
        operationId: 'beginPasskey',
        tags,
        summary: 'Begin to register a passkey',
        description: `${CONFIRMED} ${OWN}`,
        body: Confirmation,
        response: { 200: PasskeyOptions },
      },
      config: { ...open, errors: [409] },
      handler: async (request) => ({
        options: await rules.beginPasskey(request.caller, request.body, signInFacts(request)),
      }),
    })
    app.route({
      method: 'POST',
      url: `${url}/passkeys`,
      schema: {
        operationId: 'addPasskey',
        tags,
        summary: 'Register a passkey',
        description: `The first factor brings ten recovery codes and ends the person’s other sessions. ${OWN}`,
        body: PasskeyCreate,
        response: { 201: PasskeyAdded },
      },
      config: { ...open, errors: [409] },
      handler: async (request, reply) => {
        const added = await rules.addPasskey(request.caller, request.body, signInFacts(request))
        reply.code(201)
        return added
      },
    })
    app.route({
      method: 'PATCH',
      url: passkeyUrl,
      schema: {
        operationId: 'renamePasskey',
        tags,
        summary: 'Rename a passkey',
        description: OWN,
        params: UuidParams('passkey_id'),
        body: PasskeyChange,
        response: { 200: Passkey },
      },
      config: { ...open, errors: [404, 409] },
      handler: (request) => rules.renamePasskey(request.caller, request.params.passkey_id, request.body.name),
    })
    app.route({
      method: 'POST',
      url: `${passkeyUrl}/remove`,
      schema: {
        operationId: 'removePasskey',
        tags,
        summary: 'Remove a passkey',
        description: `${ALWAYS_CONFIRMED} The last factor stays while the tenant demands one (409). ${OWN}`,
        params: UuidParams('passkey_id'),
        body: Confirmation,
        response: { 204: NoContent },
      },
      config: { ...open, errors: [404, 409] },
      handler: async (request, reply) => {
        await rules.removePasskey(request.caller, request.params.passkey_id, request.body, signInFacts(request))
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/confirm-options`,
      schema: {
        operationId: 'beginConfirmation',
        tags,
        summary: 'Ask for a passkey to confirm a change with',
        description: OWN,
        response: { 200: PasskeyOptions },
      },
      config: open,
      handler: async (request) => ({ options: await rules.confirmationOptions(request.caller, signInFacts(request)) }),
    })
  }
}

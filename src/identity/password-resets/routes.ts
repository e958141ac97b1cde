import { NoContent, Type, UuidParams } from '../../platform/contract/schema.ts'
import { demandSameOrigin } from '../../platform/http/caller.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { Confirmed } from '../sessions/factors/contract.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import { signInFacts } from '../sessions/routes.ts'
import {
  PasswordForgotten,
  PasswordReset,
  PasswordResetLink,
  PasswordResetSent,
  PasswordResetShown,
} from './contract.ts'
import type { PasswordResetRules } from './rules.ts'

const url = '/api/session'
const tags = ['Sign-in']
const ABOUT = 'For pages of the service itself, like signing in.'
const Accepted = Type.Null({ description: 'If there is such a user, a mail is on its way' })

/** Routes for links by which people choose a new password. */
export function passwordResetRoutes(
  rules: PasswordResetRules,
  publicUrl: () => string,
  devices: KnownDevices,
): RoutePlugin {
  return (app) => {
    app.addHook('onClose', () => rules.close())
    app.route({
      method: 'POST',
      url: '/api/knowledge/users/:user_id/password-reset',
      schema: {
        operationId: 'resetPassword',
        tags: ['Users'],
        summary: 'Give a user a link for a new password',
        description:
          'The link works once, within 72 hours; a newer one ends it. The service mails it when it can send mail; else ' +
          'the answer has it, only this once. The password stays until the link is used, which signs the user out ' +
          'everywhere. Nobody resets the password of a user who may do more (403), nor their own (403), also not by a key that ' +
          'they issued, and no credential that ends does (403). A signed-in person confirms it by `confirmation`, else ' +
          'the answer is 403 of type `proof_needed`.',
        params: UuidParams('user_id'),
        body: Confirmed,
        response: { 200: PasswordResetSent },
      },
      config: { scopes: ['tenant:admin'], errors: [404, 409], bodyOptional: true },
      handler: (request) =>
        rules.give(request.caller, request.params.user_id, request.body.confirmation, signInFacts(request)),
    })
    app.route({
      method: 'POST',
      url: `${url}/forgotten-password`,
      schema: {
        operationId: 'forgotPassword',
        tags,
        summary: 'Ask for a link for a new password by mail',
        description:
          'The answer is the same whether there is such a user or not. The link works once, within an hour. Where the ' +
          `service sends no mail, the answer is 409. ${ABOUT}`,
        body: PasswordForgotten,
        response: { 202: Accepted },
      },
      config: { public: true, errors: [403, 409, 429] },
      handler: async (request, reply) => {
        demandSameOrigin(request)
        rules.forgotten(request.body, signInFacts(request))
        return reply.code(202).send(null)
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/new-password/show`,
      schema: {
        operationId: 'showPasswordReset',
        tags,
        summary: 'See whose password a link sets',
        description:
          'For who has the link, before they choose a password; changes nothing. A link that is unknown, used, replaced ' +
          `or over gets 404. ${ABOUT}`,
        body: PasswordResetLink,
        response: { 200: PasswordResetShown },
      },
      config: { public: true, errors: [403, 404, 429] },
      handler: (request) => {
        demandSameOrigin(request)
        return rules.show(request.body, signInFacts(request))
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/new-password`,
      schema: {
        operationId: 'setNewPassword',
        tags,
        summary: 'Choose a new password by a link',
        description:
          'Sets the password and signs the person out everywhere; sign in with it afterwards. A link that is unknown, ' +
          `used, replaced or over gets 404. ${ABOUT}`,
        body: PasswordReset,
        response: { 204: NoContent },
      },
      config: { public: true, errors: [403, 404, 429] },
      handler: async (request, reply) => {
        demandSameOrigin(request)
        const account = await rules.use(request.body, signInFacts(request))
        // The owner may sign in here, however much strangers have guessed meanwhile.
        const isSecure = publicUrl().startsWith('https:')
        const known = devices.remember(request.headers.cookie, isSecure, account)
        return reply.code(204).header('set-cookie', known).send(null)
      },
    })
  }
}

import { pageIn, PageQuery } from '../../platform/contract/paging.ts'
import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import { compileSerialiser } from '../../platform/contract/serialise.ts'
import { sendPage } from '../../platform/http/answers/send-page.ts'
import { demandSameOrigin } from '../../platform/http/caller.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { sessionCookie } from '../credentials/session-cookie.ts'
import { Session } from '../sessions/contract.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import { signInFacts } from '../sessions/routes.ts'
import { SESSION_SECONDS } from '../sessions/session-opener.ts'
import {
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationLink,
  InvitationRenewal,
  InvitationSent,
  InvitationShown,
} from './contract.ts'
import type { InvitationRules } from './rules.ts'

const url = '/api/knowledge/invitations'
const scopes = ['tenant:admin'] as const
const params = UuidParams('invitation_id')
const writeInvitation = compileSerialiser(Invitation)

/** Routes to invite people and to accept an invitation. */
export function invitationRoutes(rules: InvitationRules, publicUrl: () => string, devices: KnownDevices): RoutePlugin {
  const isSecure = () => publicUrl().startsWith('https:')
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'listInvitations',
        tags: ['Users'],
        summary: 'List the open invitations',
        description:
          'Sorted by email address, also those whose link is over. An accepted invitation is a user. The Link header ' +
          'names the next page.',
        querystring: PageQuery,
        response: { 200: ListOf(Invitation) },
      },
      config: { scopes, answerHeaders: ['Link'] },
      handler: async (request, reply) => {
        const { items, next } = await rules.list(request.caller, pageIn(request.query, ['string']))
        return sendPage(request, reply, { items, next, keyOf: ({ email }) => [email], write: writeInvitation })
      },
    })
    app.route({
      method: 'POST',
      url,
      schema: {
        operationId: 'inviteUser',
        tags: ['Users'],
        summary: 'Invite somebody',
        description:
          'Makes a link by which one person chooses a name and a password, once, within 72 hours unless ' +
          '`expires_in_hours` says otherwise. The service mails it when it can send mail; else the answer has it, only ' +
          'this once. Nobody invites to more than they may do (403), and no credential that ends invites (403). The ' +
          'link stops working when the person who invited may no longer give the role. A signed-in person who invites an ' +
          'administrator confirms it by `confirmation`, else the answer is 403 of type `proof_needed`.',
        body: InvitationCreate,
        response: { 201: InvitationSent },
      },
      config: { scopes, errors: [409] },
      handler: async (request, reply) => {
        const sent = await rules.invite(request.caller, request.body, signInFacts(request))
        reply.code(201)
        return sent
      },
    })
    app.route({
      method: 'POST',
      url: `${url}/:invitation_id/send`,
      schema: {
        operationId: 'sendInvitationAgain',
        tags: ['Users'],
        summary: 'Send an invitation again',
        description:
          'By a new link; the one before stops working. For an administrator with `confirmation`, as for the invitation.',
        params,
        body: InvitationRenewal,
        response: { 200: InvitationSent },
      },
      config: { scopes, errors: [404] },
      handler: (request) =>
        rules.sendAgain(request.caller, request.params.invitation_id, request.body, signInFacts(request)),
    })
    app.route({
      method: 'DELETE',
      url: `${url}/:invitation_id`,
      schema: {
        operationId: 'withdrawInvitation',
        tags: ['Users'],
        summary: 'Withdraw an invitation',
        params,
        response: { 204: NoContent },
      },
      config: { scopes, errors: [404] },
      handler: async (request, reply) => {
        await rules.withdraw(request.caller, request.params.invitation_id)
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'POST',
      url: '/api/session/invitation/show',
      schema: {
        operationId: 'showInvitation',
        tags: ['Sign-in'],
        summary: 'See what an invitation is about',
        description:
          'For who has the link, before they accept; changes nothing. For pages of the service itself, like signing in. ' +
          'A link that is unknown, used, replaced or over gets 404.',
        body: InvitationLink,
        response: { 200: InvitationShown },
      },
      config: { public: true, errors: [403, 404, 429] },
      preHandler: (request, _reply, done) => {
        demandSameOrigin(request)
        done()
      },
      handler: (request) => rules.show(request.body, signInFacts(request)),
    })
    app.route({
      method: 'POST',
      url: '/api/session/invitation',
      schema: {
        operationId: 'acceptInvitation',
        tags: ['Sign-in'],
        summary: 'Accept an invitation',
        description:
          'Makes a user with this name and password, and signs them in with a cookie, as signing in does. For pages of ' +
          'the service itself, like signing in. A link that is unknown, used, replaced or over gets 404.',
        body: InvitationAccept,
        response: { 200: Session },
      },
      config: { public: true, errors: [403, 404, 409, 429] },
      preHandler: (request, _reply, done) => {
        demandSameOrigin(request)
        done()
      },
      handler: async (request, reply) => {
        const { secret, session } = await rules.accept(request.body, signInFacts(request))
        const account = { tenantId: session.tenant.id, userId: session.user!.id }
        const known = devices.remember(request.headers.cookie, isSecure(), account)
        reply.header('set-cookie', [sessionCookie(secret, isSecure(), SESSION_SECONDS), known])
        return session
      },
    })
  }
}

import { ListOf, NoContent, UuidParams } from '../../platform/contract/schema.ts'
import type { RoutePlugin } from '../../platform/http/route.ts'
import { sessionCookie } from '../credentials/session-cookie.ts'
import { signInFacts } from '../sessions/routes.ts'
import { OwnSession, PasswordChange, Profile, ProfileChange } from './contract.ts'
import type { ProfileRules } from './rules.ts'

const tags = ['Own account']
const url = '/api/session/profile'
const sessionsUrl = '/api/session/sessions'
const ABOUT = 'Only for somebody who is signed in in a browser; other credentials get 403.'

/** Routes for a user's own account and sessions. */
export function profileRoutes(rules: ProfileRules, publicUrl: () => string): RoutePlugin {
  return (app) => {
    app.route({
      method: 'GET',
      url,
      schema: {
        operationId: 'getProfile',
        tags,
        summary: 'Read your own account',
        description: 'For any credential with a user; one without gets 404.',
        response: { 200: Profile },
      },
      config: { errors: [404] },
      handler: (request) => rules.read(request.caller),
    })
    app.route({
      method: 'PATCH',
      url,
      schema: {
        operationId: 'updateProfile',
        tags,
        summary: 'Change your name or the language of the pages',
        description: ABOUT,
        body: ProfileChange,
        response: { 200: Profile },
      },
      config: { errors: [403] },
      handler: (request) => rules.change(request.caller, request.body),
    })
    app.route({
      method: 'PUT',
      url: '/api/session/password',
      schema: {
        operationId: 'changePassword',
        tags,
        summary: 'Change your password',
        description: `Asks for the old password, and ends your other sessions. ${ABOUT}`,
        body: PasswordChange,
        response: { 204: NoContent },
      },
      config: { errors: [403, 409, 429] },
      handler: async (request, reply) => {
        await rules.changePassword(request.caller, request.body, signInFacts(request))
        return reply.code(204).send(null)
      },
    })
    app.route({
      method: 'GET',
      url: sessionsUrl,
      schema: {
        operationId: 'listOwnSessions',
        tags,
        summary: 'List your sessions',
        description: `Where you are signed in, newest first. ${ABOUT}`,
        response: { 200: ListOf(OwnSession) },
      },
      config: { errors: [403] },
      handler: (request) => rules.sessions(request.caller),
    })
    app.route({
      method: 'DELETE',
      url: sessionsUrl,
      schema: {
        operationId: 'signOutEverywhere',
        tags,
        summary: 'Sign out everywhere',
        description: `Ends all of your sessions, this one too, and removes its cookie. ${ABOUT}`,
        response: { 204: NoContent },
      },
      config: { errors: [403] },
      handler: async (request, reply) => {
        await rules.endSessions(request.caller)
        return reply
          .code(204)
          .header('set-cookie', sessionCookie('', publicUrl().startsWith('https:'), 0))
          .send(null)
      },
    })
    app.route({
      method: 'DELETE',
      url: `${sessionsUrl}/:session_id`,
      schema: {
        operationId: 'endOwnSession',
        tags,
        summary: 'End one of your sessions',
        description: ABOUT,
        params: UuidParams('session_id'),
        response: { 204: NoContent },
      },
      config: { errors: [403, 404] },
      handler: async (request, reply) => {
        await rules.endSession(request.caller, request.params.session_id)
        return reply.code(204).send(null)
      },
    })
  }
}

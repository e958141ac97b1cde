import { flag, id, list, narrow, nullable, object, text, whole, word } from './kinds.ts'
import { type Operation, pages, type World } from './operation.ts'

const LEVELS = ['public', 'community', 'internal', 'workspace', 'restricted']
const unknownId = '0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'
const PASSWORD = 'correct horse battery'

/** Returns the operations on users, invitations and people's own accounts. */
export function peopleOperations(world: World): Readonly<Record<string, Operation>> {
  const name = text(1, 200)
  const role = word(['reader', 'editor', 'admin'])
  const ceiling = nullable(word(LEVELS))
  const email = text(1, 401)
  const token = text(1, 100)
  const password = text(1, 1_000)
  const hours = whole(1, 720)
  // The limits of its fields have their cases where factors are set up.
  const confirmation = object({}, { password: 'for a signed-in person' })
  const oneUser = { user_id: id(world.user) }
  const oneInvitation = { invitation_id: id(world.invitation) }
  return {
    listUsers: {
      query: {
        ...pages(['somebody@example.com']),
        query: text(0, 200, narrow),
        role,
        disabled: flag(),
        include_details: flag(),
      },
    },
    getUser: { path: oneUser },
    updateUser: {
      path: oneUser,
      body: { name, role, ceiling, disabled: flag(), confirmation },
    },
    // An unknown id, so that the user stays, whom other tests need.
    eraseUser: { path: { user_id: id(unknownId) }, refusals: [404] },
    getUserAccess: { path: oneUser, query: { role, ceiling: word(LEVELS) } },
    // The user of the path cannot receive what is theirs.
    handOverUserAccess: {
      path: oneUser,
      body: {
        to_user_id: id(world.user),
        api_keys: list(id(world.key), 0, 500, () => world.key),
        oauth_clients: list(text(1, 2_000, narrow), 0, 500, () => world.client),
      },
      required: ['to_user_id'],
      good: { to_user_id: world.user },
      refusals: [422],
    },
    resetPassword: { path: oneUser, body: { confirmation }, good: {}, refusals: [409] },
    getUserSignIn: { path: oneUser },
    listUserSessions: { path: oneUser },
    endUserSessions: { path: oneUser },
    listInvitations: { query: pages(['somebody@example.com']) },
    inviteUser: {
      body: { email, role, ceiling, expires_in_hours: hours, confirmation },
      required: ['email', 'role'],
      good: { email: 'guest@example.com', role: 'reader' },
      refusals: [409, 422],
    },
    sendInvitationAgain: { path: oneInvitation, body: { expires_in_hours: hours, confirmation }, good: {} },
    withdrawInvitation: { path: { invitation_id: id(unknownId) }, refusals: [404] },
    acceptInvitation: {
      isPublic: true,
      body: { token, name, password },
      required: ['token', 'name', 'password'],
      good: { token: 'unknown', name: 'Ann', password: PASSWORD },
      refusals: [404, 422, 429],
    },
    endProviderSessions: {
      isPublic: true,
      isForm: true,
      body: { logout_token: text(1, 8_000) },
      required: ['logout_token'],
      good: { logout_token: 'unknown' },
      refusals: [400, 429],
    },
    showInvitation: {
      isPublic: true,
      body: { token },
      required: ['token'],
      good: { token: 'unknown' },
      refusals: [404, 429],
    },
    forgotPassword: {
      isPublic: true,
      body: { email, tenant: nullable(text(1, 63)) },
      required: ['email'],
      good: { email: 'nobody@example.com' },
      refusals: [409, 429],
    },
    showPasswordReset: {
      isPublic: true,
      body: { token },
      required: ['token'],
      good: { token: 'unknown' },
      refusals: [404, 429],
    },
    setNewPassword: {
      isPublic: true,
      body: { token, password },
      required: ['token', 'password'],
      good: { token: 'unknown', password: PASSWORD },
      refusals: [404, 422, 429],
    },
    getProfile: {},
    // Keys may not; their bodies are checked all the same.
    updateProfile: { body: { name, language: nullable(word(['de', 'en'])) }, refusals: [403] },
    changePassword: {
      body: { old_password: password, new_password: password },
      required: ['old_password', 'new_password'],
      good: { old_password: PASSWORD, new_password: 'another horse battery' },
      refusals: [403],
    },
    listOwnSessions: { refusals: [403] },
    signOutEverywhere: { refusals: [403] },
    endOwnSession: { path: { session_id: id(unknownId) }, refusals: [403] },
  }
}

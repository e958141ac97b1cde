import { givePassword } from '../../support/passwords.ts'
import { type SessionHeaders, sessionOf } from './callers.ts'
import { type Ask, failures, type FailureRows, UNKNOWN, untilRefused } from './table.ts'

const PASSWORD = 'correct horse battery'

interface Seed {
  /** The session of a person with a password. */
  readonly ann: SessionHeaders
  /** The session of a person without one. */
  readonly bob: SessionHeaders
  readonly nobodys: string
}

const signedIn = ({ ann }: Seed): Ask => ({ key: null, headers: ann })
const change = (old_password: string, new_password = 'another horse battery') => ({ old_password, new_password })
const NO_SESSION: FailureRows<Seed> = {
  '403 forbidden at header.authorization': { 'an API key': ({ nobodys }) => ({ key: nobodys }) },
}

failures<Seed>('Own account', {
  isChanging: true,
  seed: async (service) => {
    const [ann, bob] = await Promise.all(
      ['ann', 'bob'].map((name) => service.user({ email: `${name}@account.example`, role: 'editor' })),
    )
    await givePassword(service.database, service.tenantId, ann.userId, PASSWORD)
    return {
      ann: await sessionOf(service, ann.userId),
      bob: await sessionOf(service, bob.userId),
      nobodys: await service.key(['knowledge:read']),
    }
  },
  table: {
    'getProfile GET /api/session/profile': {
      fails: {
        '404 not_found at header.authorization': { 'a key without a user': ({ nobodys }) => ({ key: nobodys }) },
      },
    },
    'updateProfile PATCH /api/session/profile': { asks: { body: { name: 'Another' } }, fails: NO_SESSION },
    'changePassword PUT /api/session/password': {
      asks: { body: change(PASSWORD) },
      fails: {
        ...NO_SESSION,
        '409 conflict at body.old_password': {
          'a person without a password': ({ bob }) => ({ key: null, headers: bob }),
        },
        '422 value_error at body.new_password': {
          'a short password': (seed) => ({ ...signedIn(seed), body: change(PASSWORD, 'short') }),
        },
        '422 value_error at body.old_password': {
          'a wrong password': (seed) => ({ ...signedIn(seed), body: change('a wrong password') }),
        },
        '429 rate_limited': {
          'many wrong passwords': (seed) => ({
            ...signedIn(seed),
            body: change('a wrong password'),
            by: untilRefused,
          }),
        },
      },
    },
    'listOwnSessions GET /api/session/sessions': { fails: NO_SESSION },
    'signOutEverywhere DELETE /api/session/sessions': { fails: NO_SESSION },
    'endOwnSession DELETE /api/session/sessions/{session_id}': {
      asks: { path: { session_id: UNKNOWN } },
      fails: {
        ...NO_SESSION,
        '404 not_found at path.session_id': { 'a session that does not exist': signedIn },
      },
    },
  },
})

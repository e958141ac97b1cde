import { changeUser } from '../../../src/identity/administration/end-access.ts'
import { expiringKey } from './callers.ts'
import { type OperationFailures, failures, type FailureRows, create, OTHER_STATE, noSuch } from './table.ts'

interface Seed {
  /** A reader. */
  readonly user_id: string
  /** The only administrator, who asks where no other key is named. */
  readonly administrator: string
  readonly disabled: string
  readonly invitation_id: string
  /** May manage readers and no administrator. */
  readonly manager: string
  readonly expiring: string
}

const READ: OperationFailures<Seed> = { fails: noSuch('user_id') }
const MORE_THAN_THE_CALLER: FailureRows<Seed> = {
  '403 forbidden at path.user_id': {
    'a user who may do more than the caller': ({ administrator, manager }) => ({
      path: { user_id: administrator },
      key: manager,
    }),
  },
}
const NO_ACCESS: FailureRows<Seed> = {
  '403 forbidden at header.authorization': {
    'a key that expires': ({ expiring }) => ({ key: expiring }),
  },
}

failures<Seed>('Users', {
  seed: async (service) => {
    const { userId: user_id } = await service.user({ email: 'reader@users.example', role: 'reader' })
    const { userId: disabled } = await service.user({ email: 'disabled@users.example', role: 'reader' })
    await changeUser(service.database, service.tenantId, disabled, { disabled: true })
    const admins = await service.call('GET', '/api/knowledge/users?role=admin')
    return {
      user_id,
      administrator: admins.body[0].id,
      disabled,
      invitation_id: await create(service, 'invitations', { email: 'guest@users.example', role: 'reader' }),
      manager: await service.key([
        'tenant:admin',
        'knowledge:read',
        'knowledge:personal',
        'products:read',
        'sites:read',
        'search:log',
        'visibility:internal',
      ]),
      expiring: await expiringKey(service),
    }
  },
  table: {
    'getUser GET /api/knowledge/users/{user_id}': READ,
    'updateUser PATCH /api/knowledge/users/{user_id}': {
      asks: { body: { role: 'editor' } },
      fails: {
        ...noSuch('user_id'),
        ...OTHER_STATE,
        ...MORE_THAN_THE_CALLER,
        ...NO_ACCESS,
        '403 forbidden at body.role': {
          'a role that may do more than the caller': ({ manager }) => ({ key: manager, body: { role: 'admin' } }),
        },
        '409 conflict at body.role': {
          'another role for the last administrator': ({ administrator }) => ({ path: { user_id: administrator } }),
        },
        '409 conflict at body.ceiling': {
          'a lower ceiling for the last administrator': ({ administrator }) => ({
            path: { user_id: administrator },
            body: { ceiling: 'internal' },
          }),
        },
        '409 conflict at body.disabled': {
          'disabling the last administrator': ({ administrator }) => ({
            path: { user_id: administrator },
            body: { disabled: true },
          }),
        },
      },
    },
    'getUserAccess GET /api/knowledge/users/{user_id}/access': READ,
    'handOverUserAccess POST /api/knowledge/users/{user_id}/access/hand-over': {
      asks: ({ administrator }) => ({ body: { to_user_id: administrator } }),
      fails: {
        ...noSuch('user_id'),
        ...NO_ACCESS,
        '403 forbidden at path.user_id': {
          'a user who may do more than the caller': ({ administrator, user_id, manager }) => ({
            path: { user_id: administrator },
            key: manager,
            body: { to_user_id: user_id },
          }),
        },
        '422 reference_not_found at body.to_user_id': {
          'a receiver who is disabled': ({ disabled }) => ({ body: { to_user_id: disabled } }),
        },
        '422 reference_not_found at body.api_keys.0': {
          'a key that does not end with the user': ({ administrator }) => ({
            body: { to_user_id: administrator, api_keys: ['0190f6d2-7d3c-7e3b-8a51-3f1c5a0e9b11'] },
          }),
        },
        '422 reference_not_found at body.oauth_clients.0': {
          'a client that does not end with the user': ({ administrator }) => ({
            body: { to_user_id: administrator, oauth_clients: ['unknown'] },
          }),
        },
        '422 value_error at body.to_user_id': {
          'the user who leaves': ({ user_id }) => ({ body: { to_user_id: user_id } }),
          'a receiver who is no administrator': ({ administrator, user_id }) => ({
            path: { user_id: administrator },
            body: { to_user_id: user_id },
          }),
        },
      },
    },
    'eraseUser DELETE /api/knowledge/users/{user_id}': {
      fails: {
        ...noSuch('user_id'),
        ...OTHER_STATE,
        ...MORE_THAN_THE_CALLER,
        '409 conflict at body.user': {
          'the last administrator': ({ administrator }) => ({ path: { user_id: administrator } }),
        },
      },
    },
    'getUserSignIn GET /api/knowledge/users/{user_id}/sign-in': READ,
    'listUserSessions GET /api/knowledge/users/{user_id}/sessions': READ,
    'endUserSessions DELETE /api/knowledge/users/{user_id}/sessions': {
      fails: { ...noSuch('user_id'), ...MORE_THAN_THE_CALLER },
    },
    'inviteUser POST /api/knowledge/invitations': {
      asks: { body: { email: 'new@users.example', role: 'reader' } },
      fails: {
        ...NO_ACCESS,
        '403 forbidden at body.role': {
          'a role that may do more than the caller': ({ manager }) => ({
            key: manager,
            body: { email: 'new@users.example', role: 'admin' },
          }),
        },
        '409 conflict at body.email': {
          'the address of a user': { body: { email: 'reader@users.example', role: 'reader' } },
          'an address that is invited already': { body: { email: 'guest@users.example', role: 'reader' } },
        },
        '422 value_error at body.email': { 'no email address': { body: { email: 'nobody', role: 'reader' } } },
      },
    },
    'sendInvitationAgain POST /api/knowledge/invitations/{invitation_id}/send': {
      asks: { body: {} },
      fails: { ...noSuch('invitation_id'), ...NO_ACCESS },
    },
    'withdrawInvitation DELETE /api/knowledge/invitations/{invitation_id}': { fails: noSuch('invitation_id') },
    'resetPassword POST /api/knowledge/users/{user_id}/password-reset': {
      fails: {
        ...noSuch('user_id'),
        ...NO_ACCESS,
        '403 forbidden at path.user_id': {
          ...MORE_THAN_THE_CALLER['403 forbidden at path.user_id'],
          'the caller’s own password': ({ administrator }) => ({ path: { user_id: administrator } }),
        },
        '409 conflict at path.user_id': {
          'a user who is disabled': ({ disabled }) => ({ path: { user_id: disabled } }),
        },
      },
    },
    'resetFactors DELETE /api/knowledge/users/{user_id}/factors': {
      fails: {
        ...noSuch('user_id'),
        ...NO_ACCESS,
        '403 forbidden at path.user_id': {
          ...MORE_THAN_THE_CALLER['403 forbidden at path.user_id'],
          'the caller’s own factors': ({ administrator }) => ({ path: { user_id: administrator } }),
        },
      },
    },
  },
})

import { issueApiKey } from '../../../src/identity/api-keys/rules.ts'
import { expiringKey } from './callers.ts'
import { failures, noSuch, UNKNOWN } from './table.ts'

const key = { name: 'A key', scopes: ['knowledge:read'] }
const page = { name: 'A page', origins: ['https://shop.example'], sections: ['products'] }

failures('API keys', {
  seed: async (service) => {
    const { userId: reader } = await service.user({ email: 'reader@keys.example', role: 'reader' })
    const users = await service.call('GET', '/api/knowledge/users?role=admin')
    const administrator = users.body[0].id as string
    const terms = { name: 'Its own', scopes: ['knowledge:read'], userId: administrator, expiresAt: null }
    return {
      key_id: (await issueApiKey(service.database, service.tenantId, terms)).id,
      reader,
      administrator,
      manager: await service.key(['tenant:admin']),
      shopkeeper: await service.key(['tenant:admin', 'products:read']),
      expiring: await expiringKey(service),
    }
  },
  table: {
    'createApiKey POST /api/knowledge/api-keys': {
      asks: { body: key },
      fails: {
        '403 forbidden at body.scopes.1': {
          'a scope that the caller has not': ({ manager }) => ({
            key: manager,
            body: { ...key, scopes: ['tenant:admin', 'knowledge:read'] },
          }),
        },
        '403 forbidden at body.scopes.0': {
          'the private notes of another user': ({ expiring, reader }) => ({
            key: expiring,
            body: { name: 'A key', scopes: ['knowledge:personal'], user_id: reader },
          }),
        },
        '403 forbidden at body.user_id': {
          'another user’s key, by the key of a user': ({ reader }) => ({ body: { ...key, user_id: reader } }),
          'a key of a user who may do more than the caller': ({ shopkeeper, administrator }) => ({
            key: shopkeeper,
            body: { name: 'A key', scopes: ['products:read'], user_id: administrator },
          }),
        },
        '403 forbidden at body.expires_at': {
          'a key that lasts longer than its issuer': ({ expiring }) => ({
            key: expiring,
            body: { ...key, expires_at: null },
          }),
        },
        '422 value_error at body.expires_at': {
          'an end in the past': { body: { ...key, expires_at: '2020-01-01T00:00:00Z' } },
        },
        '422 reference_not_found at body.user_id': {
          'a user who does not exist': ({ manager }) => ({ key: manager, body: { ...key, user_id: UNKNOWN } }),
        },
      },
    },
    'createPublishableKey POST /api/knowledge/api-keys/publishable': {
      asks: { body: page },
      fails: {
        '403 forbidden at body.sections.0': {
          'a section that the caller may not read': ({ manager }) => ({ key: manager }),
        },
        '403 forbidden at header.authorization': {
          'a caller who may report no clicks': ({ shopkeeper }) => ({ key: shopkeeper }),
        },
        '422 value_error at body.origins.0': {
          'an origin with a path': { body: { ...page, origins: ['https://shop.example/lamps'] } },
        },
        '422 reference_not_found at body.sites.1': {
          'one site of several that does not exist': { body: { ...page, sites: ['default', UNKNOWN] } },
        },
      },
    },
    'revokeApiKey DELETE /api/knowledge/api-keys/{key_id}': {
      fails: {
        ...noSuch('key_id'),
        '403 forbidden at path.key_id': {
          'a key of a user who may do more than the caller': ({ manager }) => ({ key: manager }),
        },
      },
    },
  },
})

import { DEFAULT_RULES } from '../../../src/identity/sign-in-rules/contract.ts'
import { changeTenant } from '../../../src/identity/tenants/rules.ts'
import { expiringKey } from './callers.ts'
import { type Ask, failures, OTHER_STATE } from './table.ts'

const rules = (fields: object): Ask => ({ body: { ...DEFAULT_RULES, ...fields } })
const group = (role: string, ceiling: string | null = null) => ({ group: 'Staff', role, ceiling })

failures('Tenant', {
  seed: async (service) => {
    await changeTenant(service.database, service.tenantId, { settings: { requireSecondFactor: 'all' } })
    return {
      expiring: await expiringKey(service),
      manager: await service.key(['tenant:admin']),
    }
  },
  table: {
    'updateTenantSettings PATCH /api/knowledge/tenant-settings': {
      asks: { body: { language: 'en' } },
      fails: {
        ...OTHER_STATE,
        '403 forbidden at body.host': {
          'a setting that only the operator may change': { body: { host: 'shop.example' } },
        },
        '403 forbidden at header.authorization': {
          'fewer people with a second factor, by a key that expires': ({ expiring }) => ({
            key: expiring,
            body: { require_second_factor: 'off' },
          }),
        },
      },
    },
    'chooseEmbeddingModel PATCH /api/knowledge/embedding-models': {
      asks: { body: { choice: 'static-de-en-v2' } },
      fails: { ...OTHER_STATE },
    },
    'replaceSignInRules PUT /api/knowledge/sign-in-rules': {
      asks: rules({}),
      fails: {
        ...OTHER_STATE,
        '403 forbidden at body.default_role': {
          'a role that the caller has not': ({ manager }) => ({ key: manager, ...rules({ default_role: 'reader' }) }),
        },
        '403 forbidden at header.authorization': {
          'a change by a key that expires': ({ expiring }) => ({ key: expiring, ...rules({ default_role: 'reader' }) }),
        },
        '422 value_error at body.create_users': {
          'users without a role': rules({ create_users: true, groups: [], default_role: null }),
        },
        '422 value_error at body.groups.1.group': {
          'a group that is named twice': rules({ groups: [group('reader'), group('editor')] }),
        },
        '422 value_error at body.groups.0.ceiling': {
          'a level that the role does not see': rules({ groups: [group('reader', 'restricted')] }),
        },
      },
    },
  },
})

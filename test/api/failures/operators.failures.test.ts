import { issueOperator } from '../../../src/identity/operators/rules.ts'
import { planRemoval, suspendTenant } from '../../../src/identity/operators/tenant-life.ts'
import { changeTenant } from '../../../src/identity/tenants/rules.ts'
import { OPERATOR } from '../../../src/platform/audit/audit.ts'
import { atRest } from '../../support/at-rest.ts'
import type { TestService } from '../../support/service.ts'
import { type Ask, type OperationFailures, failures, type FailureRows, noSuch } from './table.ts'

interface Seed {
  readonly tenant_id: string
  readonly operator: string
  readonly service: TestService
  readonly planned: string
  readonly removing: string
}

const HOST = 'failures-of-operators.example'
const REFERENCE = 'failures of operators'

const asking =
  (ask: Ask = {}) =>
  ({ operator }: Seed): Ask => ({ key: operator, ...ask })
const READ: OperationFailures<Seed> = { asks: asking(), fails: noSuch('tenant_id') }
const TAKEN: FailureRows<Seed> = {
  '409 conflict at body.host': {
    'the host of another tenant': { body: { id: 'another', host: HOST } },
    'the host of the service itself': ({ service }) => ({
      body: { id: 'another', host: new URL(service.service.publicUrl).hostname },
    }),
  },
  '409 conflict at body.reference': {
    'the reference of another tenant': { body: { id: 'another', reference: REFERENCE } },
  },
}
const NO_HOST: FailureRows = {
  '422 string_pattern_mismatch at body.host': {
    'a host with a path': { body: { id: 'another', host: 'a.example/b' } },
  },
}
const NO_DAYS: FailureRows = {
  '422 value_error at query.from': {
    'days that end before they begin': { query: { from: '2026-02-01', to: '2026-01-01' } },
  },
  '422 date_parsing at query.to': { 'a day that there never was': { query: { to: '2026-02-30' } } },
}

failures<Seed>('Operators', {
  seed: async (service) => {
    const { database } = service
    const [planned, removing] = [await service.tenant('planned'), await service.tenant('removing')]
    // A suspended tenant gets no model any more, which others of the process would wait for.
    await atRest(database)
    for (const id of [planned, removing]) {
      await suspendTenant(database, id, OPERATOR)
      await planRemoval(database, id, 30, OPERATOR)
    }
    await database.queries.updateTable('tenants').set({ removing_at: 1 }).where('tenant_id', '=', removing).execute()
    await changeTenant(database, await service.tenant('taker'), { host: HOST, reference: REFERENCE })
    return {
      tenant_id: await service.tenant('operated'),
      operator: (await issueOperator(database, { name: 'Failures', expiresAt: null })).key,
      service,
      planned,
      removing,
    }
  },
  table: {
    'createTenant POST /api/operator/tenants': {
      asks: asking({ body: { id: 'another' } }),
      fails: {
        ...TAKEN,
        ...NO_HOST,
        '409 conflict at body.id': {
          'the id of another tenant': ({ tenant_id }) => ({ body: { id: tenant_id } }),
        },
        '422 string_pattern_mismatch at body.id': { 'an id with a space': { body: { id: 'two words' } } },
        '422 value_error at body.api_key.expires_at': {
          'a key that has ended': {
            body: { id: 'another', api_key: { name: 'First', expires_at: '2020-01-01T00:00:00Z' } },
          },
        },
        '422 value_error at body.administrator.email': {
          'an administrator without an email address': { body: { id: 'another', administrator: { email: 'nobody' } } },
        },
      },
    },
    'getTenant GET /api/operator/tenants/{tenant_id}': READ,
    'changeTenant PATCH /api/operator/tenants/{tenant_id}': {
      asks: asking({ body: { name: 'Another' } }),
      fails: { ...noSuch('tenant_id'), ...TAKEN, ...NO_HOST },
    },
    'suspendTenant POST /api/operator/tenants/{tenant_id}/suspend': READ,
    'resumeTenant POST /api/operator/tenants/{tenant_id}/resume': {
      asks: asking(),
      fails: {
        ...noSuch('tenant_id'),
        '409 conflict at path.tenant_id': {
          'a tenant that is to be removed': ({ planned }) => ({ path: { tenant_id: planned } }),
        },
      },
    },
    'removeTenant DELETE /api/operator/tenants/{tenant_id}': {
      asks: asking(),
      fails: {
        ...noSuch('tenant_id'),
        '409 conflict at path.tenant_id': {
          'a tenant that is not suspended': {},
          'a tenant whose removal has begun': ({ removing }) => ({ path: { tenant_id: removing } }),
        },
      },
    },
    'keepTenant POST /api/operator/tenants/{tenant_id}/keep': {
      asks: asking(),
      fails: {
        ...noSuch('tenant_id'),
        '409 conflict at path.tenant_id': {
          'a tenant whose removal has begun': ({ removing }) => ({ path: { tenant_id: removing } }),
        },
      },
    },
    'getTenantUsage GET /api/operator/tenants/{tenant_id}/usage': {
      asks: asking(),
      fails: { ...noSuch('tenant_id'), ...NO_DAYS },
    },
    'getTenantQuotas GET /api/operator/tenants/{tenant_id}/quotas': READ,
    'changeTenantQuotas PATCH /api/operator/tenants/{tenant_id}/quotas': {
      asks: asking({ body: { entries: 5 } }),
      fails: noSuch('tenant_id'),
    },
    'listUsage GET /api/operator/usage': { asks: asking(), fails: NO_DAYS },
  },
})

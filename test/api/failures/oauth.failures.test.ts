import { storeOAuthRecords } from '../../support/oauth-records.ts'
import { failures, type FailureRows, noSuch } from './table.ts'

interface Seed {
  readonly client_id: string
  readonly grant_id: string
  /** A key that may read, and not administer the tenant. */
  readonly reader: string
}

const NO_SESSION: FailureRows<Seed> = {
  '403 forbidden at header.authorization': {
    'a key that may not administer the tenant': ({ reader }) => ({ key: reader }),
  },
}

// The operations below `/oauth` answer as OAuth prescribes; `test/oauth/documented-refusals.test.ts` has those.
failures<Seed>('OAuth', {
  seed: async (service) => {
    const { userId, key: reader } = await service.user({ email: 'reader@oauth.example', role: 'reader' })
    const of = { tenantId: service.tenantId, userId, origin: service.service.url }
    const { client, grant } = await storeOAuthRecords(service.database, of)
    return { client_id: client, grant_id: grant, reader }
  },
  table: {
    'deleteOAuthClient DELETE /api/knowledge/oauth-clients/{client_id}': { fails: noSuch('client_id') },
    'listOAuthGrants GET /api/knowledge/oauth-grants': { fails: NO_SESSION },
    'revokeOAuthGrant DELETE /api/knowledge/oauth-grants/{grant_id}': {
      fails: { ...noSuch('grant_id'), ...NO_SESSION },
    },
  },
})

/**
 * Tables that are not distributed by their tenant, each with the reason. Every other table is, and all of them are
 * co-located: what belongs to a tenant lies on one node. What belongs to none (operators, their log, the state of
 * backups) has the tenant `*`, and lies where that tenant lies. None is a reference table: a reference table is written
 * on every node, and `tenants`, the one that all others ask for, changes with every write.
 */
export const LOCAL_TABLES: Readonly<Record<string, string>> = {
  kysely_migration: 'which migrations ran; only migrations ask for it',
  kysely_migration_lock: 'lets one process at a time migrate',
}

/**
 * Origins of statements that no request of a tenant waits for. They may ask every node. A key is a function, a file or
 * the beginning of a path.
 */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'src/composition/opening/prepare-database.ts prepareDatabase': 'migrations, which run before anything is served',
  'src/channels/cli/': 'commands, which an operator with access to the database calls',
  'src/composition/backup/': 'backups, which operators make and restore',
  'src/composition/copying/': 'copies of an installation or a tenant, and tenants in their place',
  'src/composition/seals/': 'what is sealed with the secret key, which a start and `knowledge doctor` try',
  'src/composition/tenants/': 'removes tenants and counts what they have, in the background and for operators',
  'src/composition/search-sources.ts': 'indexes look for the writes of other processes',
  'src/embedding/job-store.ts hasDueJobs': 'an idle embedding queue looks whether there is anything to do',
  'src/embedding/job-store.ts nextDue': 'the embedding queue looks which tenant is next',
  'src/embedding/job-store.ts readBacklog': 'metrics, for all tenants',
  'src/embedding/job-store.ts countAllJobs': 'the operator’s status, for all tenants',
  'src/embedding/model-store.ts': 'the embedding queue looks which models are in use',
  'src/identity/api-keys/store.ts outlivingKeys': '`knowledge doctor` looks at all tenants',
  'src/identity/api-keys/store.ts setLastUsed': 'notes now and then which keys were used',
  'src/identity/administration/erasure-store.ts openErasures': 'the sweeper goes on with erasures',
  'src/identity/invitations/store.ts purgeInvitations': 'the sweeper',
  'src/identity/mail/outbox-store.ts': 'mail that waits is sent in the background, and swept',
  'src/identity/oauth/clients/client-store.ts deleteUnusedClients': 'the sweeper',
  'src/identity/oauth/store.ts deleteExpired': 'the sweeper',
  'src/identity/operators/': 'operators, whose log belongs to the installation',
  'src/identity/password-resets/store.ts purgeResets': 'the sweeper',
  'src/identity/provider-logout/store.ts purgeTokens': 'the sweeper',
  'src/identity/quotas/store.ts boundTenants': 'reads now and then which tenants have quotas',
  'src/identity/sessions/store.ts purgeSessions': 'the sweeper',
  'src/identity/tenants/store.ts countTenants': 'the operator’s status',
  'src/identity/tenants/store.ts findTenantByReference': 'operators know tenants by names of their own',
  'src/identity/tenants/store.ts hasStayingTenant': 'operators plan a removal',
  'src/identity/tenants/store.ts hasTenants': 'the first start',
  'src/identity/tenants/store.ts listTenantPage': 'operators list tenants',
  'src/identity/tenants/store.ts listTenants': 'commands, and work in the background for one tenant after the other',
  'src/identity/tenants/store.ts lockTenants': 'operators make and remove tenants one at a time',
  'src/identity/tenants/store.ts suspendedTenants': 'frees memory of suspended tenants',
  'src/insights/learning/boost-store.ts tenantsThatLearn': 'learning looks which tenants want it',
  'src/insights/search-log/salt-store.ts deleteSaltsBefore': 'the sweeper',
  'src/insights/search-log/store.ts': 'the thread of the search log writes what several tenants did in one batch',
  'src/knowledge/entries/bin/bin-store.ts findDue': 'the sweeper',
  'src/knowledge/entries/writes/consistency-store.ts': '`knowledge doctor` looks at all tenants',
  'src/platform/usage/store.ts addToDay': 'notes every half minute what tenants used',
  'src/shop/products/store.ts analyseProducts': 'renews the planner’s figures after a large push',
}

/** Statements on tables that are not distributed. Keys are like those of `ELSEWHERE`. */
export const NOT_DISTRIBUTED: Readonly<Record<string, string>> = {
  'src/search/pgvector/': 'each table of a replica is of one tenant, and stays on the node that it was made on',
  'src/identity/tenants/rules.ts requireEngine': 'asks the catalogue of the server whether it has pgvector',
}

const BY_HASH = 'a secret says its tenant only once it is found by its hash'
const SHARED_ADDRESS = 'at the shared address a code or client says its tenant only once it is found'
const SIGN_IN = 'people sign in at the shared address without naming a tenant'
const LOGOUT = 'the outside provider ends its sessions without naming a tenant'

/**
 * Faults that requests may have all the same, by the kind of fault, with the reason. Keys are like those of
 * `ELSEWHERE`.
 */
export const EXCUSED: Readonly<Record<'everywhere' | 'apart' | 'two tenants', Readonly<Record<string, string>>>> = {
  everywhere: {
    'src/identity/api-keys/publishable-store.ts isOriginOfAKey': 'a preflight has no key',
    'src/identity/credentials/store.ts readerOf': BY_HASH,
    'src/identity/invitations/store.ts findByHash': BY_HASH,
    'src/identity/oauth/clients/client-store.ts': SHARED_ADDRESS,
    'src/identity/oauth/store.ts': SHARED_ADDRESS,
    'src/identity/password-resets/store.ts findReset': BY_HASH,
    'src/identity/sessions/factors/factor-store.ts passkeysByCredential': SIGN_IN,
    'src/identity/sessions/factors/step-store.ts findStep': BY_HASH,
    'src/identity/sessions/provider-session-store.ts': LOGOUT,
    'src/identity/sessions/store.ts candidatesBy': SIGN_IN,
    'src/identity/sessions/store.ts findSession': BY_HASH,
    'src/identity/sign-in-rules/store.ts': SIGN_IN,
    'src/identity/tenants/store.ts hostOwner': 'a host says its tenant only once it is found',
  },
  apart: {
    'src/identity/credentials/store.ts readerOf':
      'one statement for each request: the owner of the host is read beside the credential',
    'src/identity/oauth/clients/client-store.ts registrationSettingsAt':
      'one statement: the owner of the host, or else all tenants without a host',
    'src/identity/sessions/provider-session-store.ts lockUsersFrom': LOGOUT,
  },
  'two tenants': {
    'src/identity/oauth/': 'a request without consent yet belongs to `*`, and after it to a tenant',
    'src/identity/provider-logout/': 'tokens of the outside provider belong to `*`',
    'src/identity/sessions/store.ts candidatesBy':
      'a person who names a tenant at the host of another one finds no user',
  },
}

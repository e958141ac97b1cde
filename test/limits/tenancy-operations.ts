import {
  flag,
  id,
  type Kind,
  language,
  list,
  narrow,
  nullable,
  object,
  real,
  record,
  text,
  whole,
  word,
} from './kinds.ts'
import { type Operation, pages, type World } from './operation.ts'
import { moment } from './shop-kinds.ts'

const ROLES = ['reader', 'editor', 'admin']
const LEVELS = ['public', 'community', 'internal', 'workspace', 'restricted']

/**
 * Makes the kind of a setting with these words. The last one that is tried is the default, which other tests rely on.
 */
const choice = (...words: readonly string[]): Kind => word(words, [...words].reverse())

/** Returns the operations of the tenant's administrators, as `operations` has them. */
export function tenancyOperations(world: World): Readonly<Record<string, Operation>> {
  const filters = {
    user_id: id(world.user),
    credential_id: text(1, 2_000, narrow),
    client_id: text(1, 2_000, narrow),
    action: text(1, 50),
    resource_type: text(1, 50),
    resource_id: text(1, 2_000, narrow),
    source: text(1, 50),
    outcome: word(['done', 'refused']),
    from: moment('0000-01-01T00:00:00Z', '2026-02-28T23:59:59.999999999+23:59'),
    to: moment('0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'),
  }
  const group = { group: text(1, 200), role: word(ROLES), ceiling: nullable(word(LEVELS)) }
  const goodGroup = (name: string) => ({ group: name, role: 'admin', ceiling: null })
  return {
    listAuditRecords: { query: { ...filters, ...pages([world.user]) } },
    exportAuditRecords: { query: { ...filters, format: word(['jsonl', 'csv']) } },
    getTenantSettings: {},
    updateTenantSettings: {
      body: {
        name: text(1, 200),
        language: language(5),
        workspaces: flag(),
        bin_days: whole(0, 365),
        version_days: whole(0, 3_650),
        audit_days: whole(30, 3_650),
        vector_weight: real(0, 10),
        product_vector_weight: real(0, 10),
        variant_strategy: choice('all', 'children_only', 'parents_only'),
        search_log: flag(),
        search_log_queries: choice('keep', 'none'),
        search_log_days: whole(1, 3_650),
        click_learning: flag(),
        require_second_factor: choice('off', 'on', 'all'),
        trusted_visitors: flag(),
        foreign_pictures: flag(),
        oauth_registration: choice('key', 'open', 'off'),
        confirmation: object({}, { password: 'for a signed-in person' }),
      },
      good: { search_log_queries: 'keep' },
    },
    getSignInRules: {},
    getSignInProvider: {},
    replaceSignInRules: {
      body: {
        create_users: flag(),
        link_by_email: flag(),
        link_proof: flag(),
        groups_claim: text(1, 200),
        groups: list(record(group, goodGroup('a group'), ['group', 'role', 'ceiling']), 0, 200, (i) =>
          goodGroup(`group ${i}`),
        ),
        default_role: nullable(word(['reader', 'editor'])),
        session_hours: whole(1, 12),
        confirmation: object({}, { password: 'for a signed-in person' }),
      },
      required: ['create_users', 'link_by_email', 'groups_claim', 'groups', 'default_role', 'session_hours'],
      good: {
        create_users: false,
        link_by_email: true,
        groups_claim: 'groups',
        groups: [],
        default_role: 'reader',
        session_hours: 12,
      },
    },
  }
}

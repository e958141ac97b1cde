import type { Question } from './answers.ts'

/** One thing of each kind in a tenant, for the requests of rows. */
export interface Ids {
  readonly entry_id: string
  readonly category_id: string
  readonly parent_id: string
  readonly project_id: string
  readonly workspace_id: string
  readonly user_id: string
  readonly site_id: string
  readonly product_id: string
  readonly search_log_id: string
  readonly client_id: string
  readonly grant_id: string
  readonly token: string
  readonly key_id: string
  readonly rule_id: string
  readonly invitation_id: string
  readonly session_id: string
  readonly set_id: string
  readonly query_id: string
  readonly run_id: string
}

export interface Row {
  /** The scopes that the route needs, all of them; empty for a route without a credential. */
  readonly scopes: readonly string[]
  /** Scopes of which one is enough, because the route checks them itself; each opens a part of the answer. */
  readonly either?: readonly string[]
  readonly query?: (ids: Ids) => Readonly<Record<string, string>>
  readonly body?: (ids: Ids) => object
  readonly form?: (ids: Ids) => Readonly<Record<string, string>>
  readonly ndjson?: boolean
  /** Status of a route whose contract accepts unknown ids: one for all kinds of ids, or one for each kind. */
  readonly always?: number | Readonly<Partial<Record<keyof Ids, number>>>
  /** Whether the route accepts an API key or another credential, and refuses an invalid key with its own answer. */
  readonly optional?: true
  /** Whether it is for operators, so that every credential of a tenant is refused. */
  readonly operator?: true
  /** Whether the route answers 403: it is open to sessions alone, or refuses what the caller may not do themselves. */
  readonly refuses?: true
  /** For a route that names an entry: its status for callers who see the entry, and for others. */
  readonly entry?: {
    readonly seen: number
    readonly unseen: 404 | 422
    /** Whether success changes the entry, or its membership in the project or site. */
    readonly changes?: true
    /**
     * Returns the expected counts.
     * @param others number of other entries of the project or site that the caller sees
     */
    readonly counts?: (others: number, ids: Ids) => { site_id?: string; added: number; removed: number; total: number }
  }
}

const ENTRIES = '/api/knowledge/knowledge-entries'
const BIN = '/api/knowledge/bin'
const CATEGORIES = '/api/knowledge/categories'
const PROJECTS = '/api/knowledge/projects'
const WORKSPACES = '/api/knowledge/workspaces'
const SITES = '/api/knowledge/sites'
const PRODUCTS = '/api/knowledge/products'

const newEntry = ({ category_id, workspace_id }: Ids) => ({ title: 'Neu', content: 'Neues', category_id, workspace_id })
const newNote = ({ category_id }: Ids) => ({ title: 'Neu', content: 'Neues', category_id })
const changedEntry = ({ category_id, workspace_id }: Ids) => ({ title: 'Geändert', category_id, workspace_id })
const read = { scopes: ['knowledge:read'] }
const readsEntry: Row = { ...read, entry: { seen: 200, unseen: 404 } }
const changesEntry: Row = {
  scopes: ['knowledge:write'],
  body: changedEntry,
  entry: { seen: 200, unseen: 404, changes: true },
}
const renames = (scope: string): Row => ({ scopes: [scope], body: () => ({ name: 'Umbenannt' }) })
const writesMembers: Row = { scopes: ['tenant:admin'], body: ({ user_id }) => ({ user_ids: [user_id] }) }
const changesCategory: Row = { scopes: ['categories:write'], body: ({ parent_id }) => ({ parent_id }) }
/** Row of a route for the credential of an operator alone, who is no caller of any tenant. */
const ofOperators: Row = { scopes: [], operator: true }
const writesSite: Row = { scopes: ['sites:write'] }
const merchandises: Row = { scopes: ['products:write'] }
const newRule = ({ product_id }: Ids) => ({ name: 'Neu', action: 'hide', product_ids: [product_id] })
const product = () => ({ title: 'Neu', language: 'de', external_id: 'neu' })
const onSite = ({ site_id }: Ids) => ({ site_id })
const entryIds = ({ entry_id }: Ids) => ({ entry_ids: [entry_id] })

const JUDGED_SETS = '/api/knowledge/judged-sets'
const experiments: Row = { scopes: ['tenant:admin', 'knowledge:read', 'products:read'] }

/** Knowledge of the isolation tests about each route. A route missing here, or listed only here, fails them. */
export const ROWS: Readonly<Record<string, Row>> = {
  [`POST ${ENTRIES}`]: { scopes: ['knowledge:write'], body: newEntry },
  [`GET ${ENTRIES}`]: {
    ...read,
    query: ({ category_id, project_id, site_id }) => ({ category_id, project_id, site_id }),
  },
  [`POST ${ENTRIES}/personal`]: { scopes: ['knowledge:personal'], body: newNote },
  [`GET ${ENTRIES}/{entry_id}`]: readsEntry,
  [`PATCH ${ENTRIES}/{entry_id}`]: changesEntry,
  [`PUT ${ENTRIES}/{entry_id}`]: changesEntry,
  [`DELETE ${ENTRIES}/{entry_id}`]: {
    scopes: ['knowledge:delete'],
    entry: { seen: 204, unseen: 404, changes: true },
  },
  [`GET ${ENTRIES}/{entry_id}/versions`]: readsEntry,
  [`GET ${ENTRIES}/{entry_id}/versions/{version}`]: readsEntry,
  [`GET ${ENTRIES}/{entry_id}/translations`]: readsEntry,
  [`GET ${ENTRIES}/{entry_id}/related`]: readsEntry,
  [`POST ${ENTRIES}/search`]: {
    ...read,
    body: ({ category_id, project_id, site_id }) => ({
      query: 'Leuchtturm',
      mode: 'hybrid',
      category_id,
      project_id,
      site_id,
      visitor_id: 'somebody',
    }),
  },
  [`POST ${ENTRIES}/bulk`]: { scopes: ['knowledge:write'], body: newEntry, ndjson: true },
  [`POST ${ENTRIES}/bulk-delete`]: {
    scopes: ['knowledge:read', 'knowledge:delete'],
    body: entryIds,
    entry: { seen: 200, unseen: 422, changes: true },
  },
  [`GET ${ENTRIES}/by-source`]: { ...read, query: () => ({ source_reference: 'nobody has this' }) },
  [`DELETE ${ENTRIES}/by-source`]: {
    scopes: ['knowledge:read', 'knowledge:delete'],
    query: () => ({ source_reference: 'nobody has this' }),
  },

  ['GET /api/knowledge/readers']: {
    scopes: ['knowledge:read', 'knowledge:write'],
    query: ({ workspace_id }) => ({ visibility: 'public', workspace_id }),
  },

  [`GET ${BIN}`]: { scopes: ['knowledge:read', 'knowledge:delete'] },
  [`POST ${BIN}/{entry_id}/restore`]: {
    scopes: ['knowledge:delete'],
    entry: { seen: 200, unseen: 404, changes: true },
  },
  [`DELETE ${BIN}/{entry_id}`]: {
    scopes: ['knowledge:delete'],
    entry: { seen: 204, unseen: 404, changes: true },
  },

  [`POST ${CATEGORIES}`]: { scopes: ['categories:write'], body: ({ parent_id }) => ({ name: 'Neu', parent_id }) },
  [`GET ${CATEGORIES}`]: { ...read, query: ({ parent_id }) => ({ parent_id }) },
  [`GET ${CATEGORIES}/{category_id}`]: read,
  [`PUT ${CATEGORIES}/{category_id}`]: changesCategory,
  [`PATCH ${CATEGORIES}/{category_id}`]: changesCategory,
  [`DELETE ${CATEGORIES}/{category_id}`]: { scopes: ['categories:write'] },
  [`POST ${CATEGORIES}/{category_id}/move`]: changesCategory,
  [`POST ${CATEGORIES}/{category_id}/merge`]: {
    scopes: ['categories:write', 'knowledge:write'],
    body: ({ parent_id }) => ({ into_id: parent_id }),
  },
  [`GET ${CATEGORIES}/counts`]: read,

  [`POST ${PROJECTS}`]: renames('knowledge:write'),
  [`GET ${PROJECTS}`]: read,
  [`GET ${PROJECTS}/{project_id}`]: read,
  [`PUT ${PROJECTS}/{project_id}`]: renames('knowledge:write'),
  [`PATCH ${PROJECTS}/{project_id}`]: renames('knowledge:write'),
  [`DELETE ${PROJECTS}/{project_id}`]: { scopes: ['knowledge:write'] },
  [`POST ${PROJECTS}/{project_id}/entries`]: {
    scopes: ['knowledge:write'],
    body: entryIds,
    entry: {
      seen: 200,
      unseen: 422,
      changes: true,
      counts: (others) => ({ added: 1, removed: 0, total: others + 1 }),
    },
  },
  [`PUT ${PROJECTS}/{project_id}/entries`]: {
    scopes: ['knowledge:write'],
    body: entryIds,
    entry: { seen: 200, unseen: 422, changes: true, counts: (others) => ({ added: 1, removed: others, total: 1 }) },
  },
  [`DELETE ${PROJECTS}/{project_id}/entries/{entry_id}`]: {
    scopes: ['knowledge:write'],
    entry: { seen: 204, unseen: 404, changes: true },
  },

  [`POST ${WORKSPACES}`]: renames('tenant:admin'),
  [`GET ${WORKSPACES}`]: read,
  [`GET ${WORKSPACES}/{workspace_id}`]: read,
  [`PUT ${WORKSPACES}/{workspace_id}`]: renames('tenant:admin'),
  [`PATCH ${WORKSPACES}/{workspace_id}`]: renames('tenant:admin'),
  [`DELETE ${WORKSPACES}/{workspace_id}`]: { scopes: ['tenant:admin'] },
  [`GET ${WORKSPACES}/{workspace_id}/members`]: { scopes: ['tenant:admin'] },
  [`POST ${WORKSPACES}/{workspace_id}/members`]: writesMembers,
  [`PUT ${WORKSPACES}/{workspace_id}/members`]: writesMembers,
  [`DELETE ${WORKSPACES}/{workspace_id}/members/{user_id}`]: { scopes: ['tenant:admin'] },

  [`POST ${SITES}`]: { ...writesSite, body: () => ({ slug: 'neu', name: 'Neu' }) },
  [`GET ${SITES}`]: { scopes: ['sites:read'] },
  [`GET ${SITES}/{site_id}`]: { scopes: ['sites:read'] },
  [`PATCH ${SITES}/{site_id}`]: renames('sites:write'),
  [`DELETE ${SITES}/{site_id}`]: writesSite,
  [`GET ${SITES}/{site_id}/knowledge`]: { scopes: ['sites:read', 'knowledge:read'] },
  [`POST ${SITES}/{site_id}/knowledge`]: {
    ...writesSite,
    body: entryIds,
    entry: {
      seen: 200,
      unseen: 422,
      changes: true,
      counts: (others, { site_id }) => ({ site_id, added: 1, removed: 0, total: others + 1 }),
    },
  },
  [`PUT ${SITES}/{site_id}/knowledge`]: {
    ...writesSite,
    body: entryIds,
    entry: {
      seen: 200,
      unseen: 422,
      changes: true,
      counts: (others, { site_id }) => ({ site_id, added: 1, removed: others, total: 1 }),
    },
  },
  [`DELETE ${SITES}/{site_id}/knowledge`]: writesSite,
  [`DELETE ${SITES}/{site_id}/knowledge/{entry_id}`]: {
    ...writesSite,
    entry: { seen: 204, unseen: 404, changes: true },
  },

  [`GET ${SITES}/{site_id}/merchandising`]: merchandises,
  [`POST ${SITES}/{site_id}/merchandising`]: { ...merchandises, body: newRule },
  [`GET ${SITES}/{site_id}/merchandising/{rule_id}`]: merchandises,
  [`PUT ${SITES}/{site_id}/merchandising/{rule_id}`]: { ...merchandises, body: newRule },
  [`DELETE ${SITES}/{site_id}/merchandising/{rule_id}`]: merchandises,
  [`POST ${SITES}/{site_id}/merchandising/preview`]: {
    scopes: ['products:read', 'products:write'],
    body: () => ({ query: 'Leuchtturm', rules: [] }),
  },
  'GET /api/knowledge/search-vocabulary': merchandises,
  'PUT /api/knowledge/search-vocabulary': { ...merchandises, body: () => ({ synonyms: [], stop_words: [] }) },

  'POST /api/knowledge/laboratory/search': {
    ...experiments,
    body: ({ site_id }) => ({ section: 'knowledge', query: 'Leuchtturm', site_id }),
  },
  'POST /api/knowledge/laboratory/missing': {
    ...experiments,
    body: ({ entry_id, site_id }) => ({ section: 'knowledge', query: 'Leuchtturm', id: entry_id, site_id }),
    entry: { seen: 200, unseen: 422 },
  },
  [`GET ${JUDGED_SETS}`]: experiments,
  [`POST ${JUDGED_SETS}`]: { ...experiments, body: () => ({ name: 'Neu', section: 'knowledge' }) },
  [`GET ${JUDGED_SETS}/{set_id}`]: experiments,
  [`PATCH ${JUDGED_SETS}/{set_id}`]: { ...experiments, body: () => ({ name: 'Umbenannt' }) },
  [`DELETE ${JUDGED_SETS}/{set_id}`]: experiments,
  [`GET ${JUDGED_SETS}/{set_id}/queries`]: experiments,
  [`PUT ${JUDGED_SETS}/{set_id}/queries`]: {
    ...experiments,
    body: ({ entry_id }) => ({ queries: [{ query: 'Leuchtturm', judgments: [{ id: entry_id, grade: 2 }] }] }),
  },
  [`DELETE ${JUDGED_SETS}/{set_id}/queries/{query_id}`]: experiments,
  [`GET ${JUDGED_SETS}/{set_id}/runs`]: experiments,
  [`POST ${JUDGED_SETS}/{set_id}/runs`]: { ...experiments, body: () => ({ mode: 'keyword' }) },
  [`GET ${JUDGED_SETS}/{set_id}/runs/{run_id}`]: experiments,

  [`POST ${PRODUCTS}`]: { scopes: ['products:write'], query: onSite, body: product },
  [`GET ${PRODUCTS}`]: {
    scopes: ['products:read'],
    query: ({ site_id, product_id }) => ({ site_id, parent_product_id: product_id }),
  },
  [`GET ${PRODUCTS}/{product_id}`]: { scopes: ['products:read'] },
  [`PATCH ${PRODUCTS}/{product_id}`]: { scopes: ['products:write'], body: () => ({ brand: 'Neu' }) },
  [`PATCH ${PRODUCTS}/by-external-id/{external_id}`]: {
    scopes: ['products:write'],
    query: onSite,
    body: () => ({ brand: 'Neu' }),
  },
  [`DELETE ${PRODUCTS}/{product_id}`]: { scopes: ['products:write'] },
  [`POST ${PRODUCTS}/bulk-delete`]: {
    scopes: ['products:write'],
    query: onSite,
    body: () => ({ external_ids: ['nobody has this'] }),
  },
  [`POST ${PRODUCTS}/bulk`]: {
    scopes: ['products:write'],
    query: ({ site_id }) => ({ site_id, sync: 'full', source: 'feed' }),
    body: product,
    ndjson: true,
  },

  [`GET ${SITES}/{site_id}/sync-runs`]: { scopes: ['products:write'] },

  [`POST ${PRODUCTS}/search`]: {
    scopes: ['products:read'],
    body: ({ site_id }) => ({ query: 'Leuchtturm', site_id, visitor_id: 'somebody' }),
  },
  [`POST ${PRODUCTS}/browse`]: {
    scopes: ['products:read'],
    body: ({ site_id }) => ({ query: 'Leuchtturm', site_id, facets: [{ field: 'brand' }] }),
  },
  [`GET ${PRODUCTS}/{product_id}/similar`]: { scopes: ['products:read'] },
  'GET /api/knowledge/suggest': {
    scopes: [],
    either: ['products:read', 'knowledge:read'],
    query: ({ site_id }) => ({ q: 'Leucht', site_id }),
  },
  'POST /api/knowledge/search': {
    scopes: [],
    either: ['products:read', 'knowledge:read'],
    body: ({ site_id }) => ({ query: 'Leuchtturm', site_id, visitor_id: 'somebody' }),
  },
  'POST /api/knowledge/multi-search': {
    scopes: [],
    either: ['products:read', 'knowledge:read'],
    body: ({ site_id }) => ({
      searches: [
        { query: 'Leuchtturm', site_id },
        { query: 'Insel', site_id },
      ],
    }),
  },
  'POST /api/knowledge/search/clicks': {
    scopes: ['search:log'],
    body: ({ search_log_id, entry_id }) => ({
      search_log_id,
      action: 'click',
      product_id: entry_id,
      section: 'knowledge',
      visitor_id: 'somebody',
    }),
    always: 202,
  },
  // A fixed range, so that the answer does not depend on the time of the test.
  'GET /api/knowledge/analytics/search': {
    scopes: ['analytics:read'],
    query: ({ site_id }) => ({ site_id, from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }),
  },

  'POST /api/knowledge/learning': { scopes: ['products:write'] },
  'GET /api/knowledge/learning': {
    scopes: ['analytics:read'],
    query: ({ site_id }) => ({ query: 'Leuchtturm', site_id }),
  },
  'GET /api/knowledge/learning/queries': {
    scopes: ['analytics:read'],
    query: ({ site_id }) => ({ site_id }),
  },

  'GET /api/knowledge/api-keys': { scopes: ['tenant:admin'] },
  'POST /api/knowledge/api-keys': {
    scopes: ['tenant:admin'],
    body: ({ user_id }) => ({ name: 'Neu', scopes: ['visibility:internal'], user_id }),
  },
  'POST /api/knowledge/api-keys/publishable': {
    scopes: ['tenant:admin'],
    body: ({ site_id }) => ({
      name: 'Neu',
      origins: ['https://laden.example'],
      sections: ['products'],
      sites: [site_id],
    }),
  },
  'DELETE /api/knowledge/api-keys/{key_id}': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/users': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/users/{user_id}': { scopes: ['tenant:admin'] },
  'PATCH /api/knowledge/users/{user_id}': { scopes: ['tenant:admin'], body: () => ({ name: 'Umbenannt' }) },
  'DELETE /api/knowledge/users/{user_id}': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/users/{user_id}/access': { scopes: ['tenant:admin'] },
  'POST /api/knowledge/users/{user_id}/access/hand-over': {
    scopes: ['tenant:admin'],
    body: ({ user_id, key_id, client_id }) => ({ to_user_id: user_id, api_keys: [key_id], oauth_clients: [client_id] }),
  },
  'POST /api/knowledge/users/{user_id}/password-reset': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/users/{user_id}/sign-in': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/users/{user_id}/sessions': { scopes: ['tenant:admin'] },
  'DELETE /api/knowledge/users/{user_id}/sessions': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/invitations': { scopes: ['tenant:admin'] },
  'POST /api/knowledge/invitations': {
    scopes: ['tenant:admin'],
    body: () => ({ email: 'neu@open.example', role: 'reader' }),
    refuses: true,
  },
  'POST /api/knowledge/invitations/{invitation_id}/send': { scopes: ['tenant:admin'], body: () => ({}) },
  'DELETE /api/knowledge/invitations/{invitation_id}': { scopes: ['tenant:admin'] },
  // Without a page's Origin header, like signing in below.
  'POST /api/session/invitation': {
    scopes: [],
    body: () => ({ token: 'unknown', name: 'Neu', password: 'whatever it may be' }),
  },
  'POST /api/session/invitation/show': { scopes: [], body: () => ({ token: 'unknown' }) },
  'POST /api/session/forgotten-password': { scopes: [], body: () => ({ email: 'owner@open.example' }) },
  'POST /api/session/new-password': {
    scopes: [],
    body: () => ({ token: 'unknown', password: 'whatever it may be' }),
  },
  'POST /api/session/new-password/show': { scopes: [], body: () => ({ token: 'unknown' }) },
  'GET /api/session/profile': { scopes: [], either: [] },
  'PATCH /api/session/profile': { scopes: [], either: [], body: () => ({ name: 'Umbenannt' }), refuses: true },
  'PUT /api/session/password': {
    scopes: [],
    either: [],
    body: () => ({ old_password: 'whatever it may be', new_password: 'whatever else it is' }),
    refuses: true,
  },
  'GET /api/session/sessions': { scopes: [], either: [], refuses: true },
  'DELETE /api/session/sessions': { scopes: [], either: [], refuses: true },
  'DELETE /api/session/sessions/{session_id}': { scopes: [], either: [], refuses: true, always: 403 },
  'GET /api/knowledge/audit-records': { scopes: ['tenant:admin'], query: ({ user_id }) => ({ user_id }) },
  // Recorded itself, so that it names nothing whose absence could show in what is untouched.
  'GET /api/knowledge/audit-records/export': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/tenant-settings': { scopes: ['tenant:admin'] },
  'PATCH /api/knowledge/tenant-settings': { scopes: ['tenant:admin'], body: () => ({ language: 'de' }) },
  'GET /api/knowledge/sign-in-rules': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/sign-in-provider': { scopes: ['tenant:admin'] },
  'PUT /api/knowledge/sign-in-rules': {
    scopes: ['tenant:admin'],
    body: () => ({
      create_users: false,
      link_by_email: true,
      groups_claim: 'groups',
      groups: [],
      default_role: null,
      session_hours: 12,
    }),
  },
  'GET /api/session/methods': { scopes: [] },
  // Without a page's Origin header, so that the request signs no person in or out.
  'POST /api/session': { scopes: [], body: () => ({ email: 'owner@open.example', password: 'whatever it may be' }) },
  'DELETE /api/session': { scopes: [] },
  'GET /api/session': { scopes: [], either: [] },
  // Steps of a browser: without its cookie there is nothing to ask for.
  'GET /api/session/second-factor': { scopes: [] },
  'POST /api/session/second-factor': { scopes: [], body: () => ({ code: '123456' }) },
  'POST /api/session/second-factor/passkey-options': { scopes: [] },
  'POST /api/session/passkey-options': { scopes: [] },
  'POST /api/session/passkey': { scopes: [], body: () => ({ passkey: {} }) },
  // For a session alone: any other credential counts as none.
  'GET /api/session/factors': { scopes: [] },
  'POST /api/session/factors/totp': { scopes: [], body: () => ({}) },
  'POST /api/session/factors/totp/confirm': { scopes: [], body: () => ({ code: '123456' }) },
  'POST /api/session/factors/totp/remove': { scopes: [], body: () => ({}) },
  'POST /api/session/factors/recovery-codes': { scopes: [], body: () => ({}) },
  'POST /api/session/factors/passkey-options': { scopes: [], body: () => ({}) },
  'POST /api/session/factors/passkeys': { scopes: [], body: () => ({ name: 'Neu', passkey: {} }) },
  'PATCH /api/session/factors/passkeys/{passkey_id}': { scopes: [], body: () => ({ name: 'Neu' }) },
  'POST /api/session/factors/passkeys/{passkey_id}/remove': { scopes: [], body: () => ({}) },
  'POST /api/session/factors/confirm-options': { scopes: [] },
  'DELETE /api/knowledge/users/{user_id}/factors': { scopes: ['tenant:admin'] },

  // Counts the whole tenant: only administrators may ask, and the answer does not say whose entries are not embedded
  // yet.
  'GET /api/knowledge/embedding-status': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/embedding-models': { scopes: ['tenant:admin'] },
  'PATCH /api/knowledge/embedding-models': {
    scopes: ['tenant:admin'],
    body: () => ({ choice: 'static-de-en-v2' }),
  },
  'GET /api/knowledge/status': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/quotas': { scopes: ['tenant:admin'] },

  'POST /oauth/register': {
    scopes: ['clients:register'],
    optional: true,
    body: () => ({ client_name: 'Neu', redirect_uris: ['http://127.0.0.1/callback'] }),
  },
  // A registration has its own token, so an API key counts as no credential.
  'GET /oauth/register/{client_id}': { scopes: [] },
  'PUT /oauth/register/{client_id}': {
    scopes: [],
    body: () => ({ client_name: 'Umbenannt', redirect_uris: ['http://127.0.0.1/callback'] }),
  },
  'DELETE /oauth/register/{client_id}': { scopes: [] },
  'POST /oauth/token': {
    scopes: [],
    optional: true,
    form: ({ client_id }) => ({ grant_type: 'client_credentials', client_id }),
    always: 401,
  },
  // No credential counts there: only a signed token of the provider does.
  'POST /sign-in/provider/logout': { scopes: [], form: ({ token }) => ({ logout_token: token }), always: 400 },
  'POST /oauth/revoke': {
    scopes: [],
    optional: true,
    form: ({ client_id, token }) => ({ client_id, token }),
    always: { client_id: 401, token: 200 },
  },
  'POST /oauth/introspect': { scopes: [], optional: true, form: ({ token }) => ({ token }), always: 200 },
  'GET /.well-known/oauth-authorization-server': { scopes: [] },
  'GET /.well-known/openid-configuration': { scopes: [] },
  'GET /.well-known/oauth-protected-resource': { scopes: [] },
  'GET /.well-known/oauth-protected-resource/mcp': { scopes: [] },
  'GET /oauth/jwks': { scopes: [] },
  'GET /api/knowledge/oauth-clients': { scopes: ['tenant:admin'] },
  'DELETE /api/knowledge/oauth-clients/{client_id}': { scopes: ['tenant:admin'] },
  'GET /api/knowledge/oauth-grants': { scopes: [], either: ['tenant:admin'] },
  'DELETE /api/knowledge/oauth-grants/{grant_id}': { scopes: [], either: ['tenant:admin'] },
  'POST /api/operator/tenants': { ...ofOperators, body: () => ({ id: 'made' }) },
  'GET /api/operator/tenants': ofOperators,
  'GET /api/operator/tenants/{tenant_id}': ofOperators,
  'PATCH /api/operator/tenants/{tenant_id}': { ...ofOperators, body: () => ({ name: 'Umbenannt' }) },
  'DELETE /api/operator/tenants/{tenant_id}': ofOperators,
  'POST /api/operator/tenants/{tenant_id}/suspend': ofOperators,
  'POST /api/operator/tenants/{tenant_id}/resume': ofOperators,
  'POST /api/operator/tenants/{tenant_id}/keep': ofOperators,
  'GET /api/operator/tenants/{tenant_id}/usage': ofOperators,
  'GET /api/operator/tenants/{tenant_id}/quotas': ofOperators,
  'PATCH /api/operator/tenants/{tenant_id}/quotas': ofOperators,
  'GET /api/operator/usage': ofOperators,
  'GET /api/operator/log': ofOperators,
  'GET /api/operator/status': ofOperators,
  'GET /healthz': { scopes: [] },
  'GET /readyz': { scopes: [] },
}

/** Tells whether the route requires one of the service's credentials and accepts nothing else. */
export function isGuarded({ scopes, either, optional }: Row): boolean {
  return optional === undefined && (scopes.length > 0 || either !== undefined)
}

/** Returns the rows missing from the table and the rows without a route, as instructions for the author of a route. */
export function unmatchedRows(document: { paths: Record<string, Record<string, unknown>> }): string[] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  return [
    ...routes
      .filter((route) => !Object.hasOwn(ROWS, route))
      .map(
        (route) =>
          `${route} has no row: add it to ROWS in test/isolation/rows.ts with its scopes, a query and body that name ` +
          'one of each thing it refers to, and, if it names an entry, its status for a caller who sees the entry and for one who does not',
      ),
    ...Object.keys(ROWS)
      .filter((route) => !routes.includes(route))
      .map((route) => `${route} is no route any more: take its row out of test/isolation/rows.ts`),
  ]
}

/**
 * Returns a row's request about these things.
 * @throws Error for an unknown path parameter
 */
export function questionOf(route: string, ids: Ids): Question {
  const { query, body, form, ndjson } = ROWS[route]
  const [method, template] = route.split(' ')
  // Only a session has passkeys; to every other credential any id is alike.
  const examples: Readonly<Record<string, string>> = {
    ...ids,
    version: '1',
    tenant_id: 'plain',
    passkey_id: ids.user_id,
    // A text of the caller, of which every tenant's products may have the same.
    external_id: 'holz-rot',
  }
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (examples[name] === undefined) throw new Error(`${route}: add an example of ${name} to Ids in rows.ts`)
    return examples[name]
  })
  const search = query === undefined ? '' : `?${new URLSearchParams(query(ids)).toString()}`
  return { method, path: path + search, body: body?.(ids), form: form?.(ids), ndjson }
}

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { SCOPES } from '../../src/platform/access/scopes.ts'
import { keepPrepared } from '../../src/platform/database/prepared.ts'
import type { DatabaseKind } from '../support/databases.ts'
import { storeOAuthRecords } from '../support/oauth-records.ts'
import { type Answer, TestService } from '../support/service.ts'
import type { OpenApiDocument, OpenApiOperation } from '../../src/platform/reference/openapi.ts'
import { issueOperator } from '../../src/identity/operators/rules.ts'
import { issueApiKey } from '../../src/identity/api-keys/rules.ts'
import type { World } from './operation.ts'
import { found } from '../support/patience.ts'

/** The route of an operation, from the OpenAPI document. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

/** A request by its parts. Missing parts get the operation's valid defaults. */
export interface Parts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Tables whose rows are counted: all but the search log and its clicks, which are written later. */
const TABLES = [
  'tenants',
  'users',
  'api_keys',
  'publishable_origins',
  'audit_log',
  'categories',
  'workspaces',
  'workspace_members',
  'projects',
  'project_entries',
  'entries',
  'entry_versions',
  'entry_tags',
  'entry_tombstones',
  'binned_entries',
  'binned_entry_versions',
  'embedding_jobs',
  'sites',
  'site_entries',
  'products',
  'product_tombstones',
  'user_passwords',
  'user_identities',
  'sign_in_rules',
  'sessions',
  'user_totp',
  'recovery_codes',
  'passkeys',
  'factor_resets',
  'sign_in_steps',
  'passkey_challenges',
  'used_logout_tokens',
  'invitations',
  'password_resets',
  'mail_outbox',
  'user_erasures',
  'oauth_clients',
  'oauth_records',
  'product_vectors',
  'merchandising',
  'merchandising_rules',
  'judged_sets',
  'judged_queries',
  'judged_runs',
]
/** Operations on a registered client, which take the registration's own token instead of a key. */
const MANAGED = new Set(['readClientRegistration', 'changeClientRegistration', 'removeClientRegistration'])
/**
 * Query that counts the rows of each table. It runs around every write, thousands of times, and planning it would take
 * longer than the counting.
 */
const ROWS = sql<Record<string, number>>`select ${sql.raw(
  TABLES.map((table) => `(select count(*) from ${table}) as ${table}`).join(),
)}, (select sum(watermark) from tenants) as watermarks,
  (select count(*) from tenants where embedding_model is null) as tenants_without_model`

/** A service with one of each thing, for tests of its input. */
export class Stage {
  readonly service: TestService
  readonly world: World
  readonly document: OpenApiDocument
  readonly routes: ReadonlyMap<string, Route>
  readonly #managementToken: string
  readonly #keys: { readonly nobodys: string; readonly operators: string }

  private constructor(
    service: TestService,
    world: World,
    managementToken: string,
    keys: { readonly nobodys: string; readonly operators: string },
  ) {
    this.#managementToken = managementToken
    this.#keys = keys
    this.service = service
    this.world = world
    this.document = service.service.app.documentation.document()
    this.routes = new Map(
      Object.entries(this.document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, operation]): [string, Route] => [
          operation.operationId,
          { method: method.toUpperCase(), path, operation },
        ]),
      ),
    )
  }

  static async start(kind: DatabaseKind): Promise<Stage> {
    const service = await TestService.start(kind, { RATE_LIMIT_OPERATOR_PER_MINUTE: '0' })
    const create = async (path: string, body: object): Promise<string> =>
      (await service.call('POST', `/api/knowledge/${path}`, { body })).body.id
    const category = await create('categories', { name: 'Category' })
    const { userId: user } = await service.user({ email: 'somebody@example.com', role: 'editor' })
    const of = { tenantId: 'default', userId: user, origin: service.service.url }
    const { client, grant, managementToken } = await storeOAuthRecords(service.database, of)
    const world = {
      category,
      otherCategory: await create('categories', { name: 'Other' }),
      entry: await create('knowledge-entries', { title: 'Entry', content: 'Content', category_id: category }),
      project: await create('projects', { name: 'Project' }),
      site: await create('sites', { slug: 'site', name: 'Site', site_type: 'shop', language: 'de' }),
      product: await create('products?site_id=site', { title: 'Product', language: 'de' }),
      workspace: await create('workspaces', { name: 'Workspace' }),
      user,
      client,
      grant,
    }
    const spare = { name: 'Spare', scopes: ['knowledge:read'], userId: null, expiresAt: null }
    const key = (await issueApiKey(service.database, 'default', spare)).id
    const set = await create('judged-sets', { name: 'Set', section: 'knowledge' })
    const base = `/api/knowledge/judged-sets/${set}`
    const queries = [{ query: 'something', judgments: [] }]
    await service.call('PUT', `${base}/queries`, { body: { queries } })
    const judgedQuery = (await service.call('GET', `${base}/queries`)).body[0].id
    const run = await create(`judged-sets/${set}/runs`, { mode: 'keyword' })
    while ((await service.call('GET', `${base}/runs/${run}`)).body.state === 'running');
    const hiding = { name: 'Rule', action: 'hide', brands: ['Brand'] }
    const rule = await create(`sites/${world.site}/merchandising`, hiding)
    await service.tenant('operated')
    const operator = await issueOperator(service.database, { name: 'Operator', expiresAt: null })
    const invitation = await create('invitations', { email: 'guest@example.com', role: 'reader' })
    const keys = { nobodys: await service.key(SCOPES), operators: operator.key }
    return new Stage(service, { ...world, key, rule, invitation, set, judgedQuery, run }, managementToken, keys)
  }

  /** Returns the world's ids by names of path parameters. */
  get ids(): Readonly<Record<string, string>> {
    const {
      category,
      entry,
      project,
      site,
      product,
      workspace,
      user,
      key,
      client,
      grant,
      rule,
      invitation,
      ...judged
    } = this.world
    const shop = { site_id: site, product_id: product }
    return {
      category_id: category,
      entry_id: entry,
      project_id: project,
      workspace_id: workspace,
      user_id: user,
      client_id: client,
      grant_id: grant,
      key_id: key,
      rule_id: rule,
      tenant_id: 'operated',
      invitation_id: invitation,
      session_id: user,
      set_id: judged.set,
      query_id: judged.judgedQuery,
      run_id: judged.run,
      ...shop,
    }
  }

  /**
   * Sends an operation's request; a text body is sent unchanged. A line of NDJSON is answered like a request of its
   * own.
   */
  async send(operationId: string, { path = {}, query = '', body, headers: sent }: Parts): Promise<Answer> {
    // Signing in and out are open to pages of the service alone, which send this header.
    const headers = { origin: this.service.service.url, ...sent }
    const route = this.routes.get(operationId)!
    const values: Record<string, string> = { version: '1', passkey_id: this.world.user, ...this.ids, ...path }
    const filled = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name]))
    const address = filled + this.#withNeeded(route, query)
    if (this.takesForm(operationId)) {
      const form = typeof body === 'object' ? formOf(body as object) : body
      const type = 'application/x-www-form-urlencoded'
      const sent = { body: form, headers: { 'content-type': type, ...headers } }
      const answer = await this.service.call(route.method, address, sent)
      this.#hasOnlyDeclaredHeaders(operationId, answer)
      return answer
    }
    if (!this.takesLines(operationId)) {
      const key = this.credentialFor(operationId)
      const plain = await this.service.call(route.method, address, { key, body, headers })
      this.#hasOnlyDeclaredHeaders(operationId, plain)
      return plain
    }
    const answer = await this.service.call(route.method, address, {
      body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
    })
    return answer.status === 200 && answer.body?.status === 'failed' ? { ...answer, status: 422 } : answer
  }

  /** Returns the credential that an operation takes. */
  credentialFor(operationId: string): string {
    if (MANAGED.has(operationId)) return this.#managementToken
    if (this.routes.get(operationId)!.path.startsWith('/api/operator/')) return this.#keys.operators
    // A user's key issues only keys of that user.
    return operationId === 'createApiKey' ? this.#keys.nobodys : this.service.adminKey
  }

  /** Fails if an answer has a header of the document that its operation does not declare. */
  #hasOnlyDeclaredHeaders(operationId: string, { status, headers }: Answer): void {
    const declared = this.routes.get(operationId)!.operation.responses[status]?.headers ?? {}
    const sent = Object.keys(this.document.components.headers).filter((name) => headers.has(name))
    const undeclared = sent.filter((name) => !(name in declared))
    assert.deepEqual(undeclared, [], `${operationId} answers ${status} with headers it does not declare`)
  }

  /** Tells whether the operation takes NDJSON, in which a bad line affects only itself. */
  takesLines(operationId: string): boolean {
    return this.routes.get(operationId)!.operation.requestBody?.content['application/x-ndjson'] !== undefined
  }

  /** Tells whether the operation refuses a request without a body. */
  needsBody(operationId: string): boolean {
    return this.routes.get(operationId)!.operation.requestBody?.required === true
  }

  /** Tells whether the operation takes a form, whose fields are all text. */
  takesForm(operationId: string): boolean {
    return (
      this.routes.get(operationId)!.operation.requestBody?.content['application/x-www-form-urlencoded'] !== undefined
    )
  }

  /** Returns the query with the required parameters that it lacks. */
  #withNeeded({ operation }: Route, query: string): string {
    const parameters = new URLSearchParams(query)
    const values: Readonly<Record<string, string>> = {
      q: 'prod',
      site_id: this.world.site,
      source_reference: 'nobody has this',
    }
    const missing = (operation.parameters ?? []).filter((each) => each.in === 'query' && each.required)
    const added = missing.filter(({ name }) => !parameters.has(name)).map(({ name }) => `${name}=${values[name]}`)
    return added.length === 0 ? query : `${query === '' ? '?' : `${query}&`}${added.join('&')}`
  }

  /**
   * Returns the number of rows of each table, and the sum of the tenants' watermarks: both are the same before and
   * after a refusal. Waits for the embedding queue first, which increments a watermark too, also when it gives a new
   * tenant its model.
   */
  async rows(): Promise<Readonly<Record<string, number>>> {
    const { queries } = this.service.database
    const counting = ROWS.compile(queries)
    keepPrepared(counting)
    return found(async () => {
      const { rows } = await queries.executeQuery(counting)
      return rows[0].embedding_jobs === 0 && rows[0].tenants_without_model === 0 ? rows[0] : null
    }, 'the embedding queue has nothing left to do')
  }

  stop(): Promise<void> {
    return this.service.stop()
  }
}

/** Returns fields as a form. Values other than text are written as JSON. */
export function formOf(fields: object): string {
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  const pairs = Object.entries(fields).map(([name, value]) => [name, text(value).toWellFormed()])
  return new URLSearchParams(pairs).toString()
}

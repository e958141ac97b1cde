import type { Scope } from './scopes.ts'
import type { OrderedVisibility } from './visibility.ts'

/** What a tenant may set about itself. Absent keys have the defaults of `identity/tenants/settings.ts`. */
export interface TenantSettings {
  readonly language: string
  /** Whether `workspace` entries are shown to members of their workspace only. */
  readonly workspaces: boolean
  /** Weight of the cosine in the hybrid score. */
  readonly vectorWeight: number
  /** The same for products. */
  readonly productVectorWeight: number
  /** Which of a product and its variants search shows: all, the variants alone, or parents in their place. */
  readonly variantStrategy: 'all' | 'children_only' | 'parents_only'
  /** Whether searches are logged. */
  readonly searchLog: boolean
  /** Whether the log keeps what was searched for. */
  readonly searchLogQueries: 'keep' | 'none'
  /** Days after which logged searches and clicks are deleted. */
  readonly searchLogDays: number
  /** Whether clicks move products in search; a site's config may say otherwise. */
  readonly clickLearning: boolean
  /** Whether the visitor ids of searches and clicks are believed, wherever they come from; a site may differ. */
  readonly trustedVisitors: boolean
  /** Who may register OAuth clients: holders of a key, assistants themselves too, or nobody. */
  readonly oauthRegistration: 'key' | 'open' | 'off'
}

/** The tenant as one request sees it. */
export interface TenantContext {
  readonly id: string
  /** Whether it is reached at a host of its own, and there only. */
  readonly ownHost: boolean
  readonly settings: TenantSettings
  /** Embedder id of the vectors search compares with; null before the first. */
  readonly embeddingModel: string | null
  /** Number of the newest searchable change that is committed. */
  readonly watermark: number
}

/** Who is asking, resolved once per request and passed to every rule. */
export interface Caller {
  readonly tenant: TenantContext
  readonly userId: string | null
  /** Null for the operator's command line, which needs none. */
  readonly credentialId: string | null
  /** How it came in; null like the credential. */
  readonly credentialKind: 'key' | 'token' | 'session' | null
  readonly scopes: ReadonlySet<Scope>
  readonly ceiling: OrderedVisibility
  /** Workspaces the user is a member of; empty while the tenant does not use workspaces. */
  readonly workspaceIds: readonly string[]
  readonly audit: AuditFacts
}

/** How a write came in, for its audit record. */
interface AuditFacts {
  /** The channel, as the service knows it: api, mcp, console, cli or oauth. */
  readonly source: string
  /** The OAuth client that the credential was issued to. */
  readonly clientId: string | null
  /** What a gateway says of both; anybody with a credential can, so nothing may be decided by it. */
  readonly claimed?: { readonly source: string | null; readonly clientId: string | null }
}

/** What a request says about who sends it. */
export interface CallerFacts {
  readonly authorization: string | undefined
  /** Whether it has an X-API-Key header, which is none of ours. */
  readonly hasApiKeyHeader: boolean
  /** The Cookie header, where the session of somebody signed in may be. */
  readonly cookies: string | undefined
  /** Host and port asked for; a tenant may have a host of its own. */
  readonly host: string
  /** The X-Scopes header, empty when absent. */
  readonly scopes: string
  /** The X-Audit-Source header. */
  readonly auditSource: string | undefined
  /** The X-Client-Id header. */
  readonly clientId: string | undefined
}

/** @throws Fault `unauthorized` when the credential is missing, unknown, expired, revoked or of another tenant */
export type ResolveCaller = (facts: CallerFacts) => Promise<Caller>

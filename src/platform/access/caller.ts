import type { Scope } from './scopes.ts'
import type { OrderedVisibility } from './visibility.ts'

/** Settings of a tenant. `identity/tenants/settings.ts` has the defaults of absent keys. */
export interface TenantSettings {
  readonly language: string
  /** Whether only members of an entry's workspace see its `workspace` entries. */
  readonly workspaces: boolean
  /** Days that deleted entries rest in the bin; 0 deletes for good at once. */
  readonly binDays: number
  /** Days that an earlier version of an entry is kept after it was replaced; 0 keeps all. */
  readonly versionDays: number
  /** Days that audit records are kept. */
  readonly auditDays: number
  /** Weight of the cosine similarity in the hybrid score. */
  readonly vectorWeight: number
  /** Weight of the cosine similarity in the hybrid score of products. */
  readonly productVectorWeight: number
  /**
   * Hits that search shows of a product with variants: the product and its variants, the variants only, or the parent
   * product only.
   */
  readonly variantStrategy: 'all' | 'children_only' | 'parents_only'
  /** Whether searches are logged. */
  readonly searchLog: boolean
  /** Whether the search log stores query texts. */
  readonly searchLogQueries: 'keep' | 'none'
  /** Days after which logged searches and clicks are deleted. */
  readonly searchLogDays: number
  /** Whether clicks move products in search; a site's config may say otherwise. */
  readonly clickLearning: boolean
  /** Whether the service trusts visitor ids, whatever kind of credential sends them. A site may differ. */
  readonly trustedVisitors: boolean
  /** Parties that may register OAuth clients: holders of an API key, also the clients themselves, or none. */
  readonly oauthRegistration: 'key' | 'open' | 'off'
  /** Whether the console shows pictures that entries have at https addresses of others. */
  readonly foreignPictures: boolean
  /** People who need a second factor: none, those who sign in with a password, or also those of an outside provider. */
  readonly requireSecondFactor: 'off' | 'on' | 'all'
  /** Place of the index that searches read: the memory of this process, or replicas in PostgreSQL. */
  readonly searchEngine: 'memory' | 'pgvector'
}

/** Quotas of a tenant, as its operator set them; null means no limit. */
export interface Quotas {
  readonly entries: number | null
  /** Bytes of stored text, including earlier versions and the bin. */
  readonly bytes: number | null
  /** Requests of all credentials of the tenant together; each process counts its own. */
  readonly requestsPerMinute: number | null
  readonly embeddingTokensPerMonth: number | null
}

/** The tenant, as read for one request. */
export interface TenantContext {
  readonly id: string
  /** Whether clients reach this tenant at its own host only. */
  readonly ownHost: boolean
  readonly settings: TenantSettings
  /** Embedder id of the vectors that search compares with; null before the first vectors. */
  readonly embeddingModel: string | null
  /** Number of the newest committed change that search must see. */
  readonly watermark: number
  /** Absent for a tenant without quotas, and for the operator's command line, to which no quota applies. */
  readonly quotas?: Quotas
  /**
   * Time, in milliseconds since 1970, until which no text of the tenant is embedded, because this month's tokens are
   * used up.
   */
  readonly embeddingPausedUntil?: number
}

/** Sites and origins that a publishable key is bound to. The sections that it may search are scopes. */
export interface Publishable {
  /** Ids of the sites it searches; null for all of the tenant. */
  readonly siteIds: readonly string[] | null
  /** Origins of the pages that may use it, as browsers write them. */
  readonly origins: readonly string[]
}

/** The texts that the searches of a request want to see, beside the values of all documents. */
export interface TextsWanted {
  /** Number of a change whose text a search must see; null for none. */
  readonly watermark: number | null
  /** Milliseconds that a search waits for that change; null for as long as for an index that is being built. */
  readonly waitMs: number | null
  /** Whether an index that is being built may answer for the documents that it has. */
  readonly isPartial: boolean
}

/** The sender of a request, as every rule sees it. Made of the request's credential, once per request. */
export interface Caller {
  readonly tenant: TenantContext
  readonly userId: string | null
  /** Null for the operator's command line, which needs no credential. */
  readonly credentialId: string | null
  /** Kind of the credential; null when there is none. */
  readonly credentialKind: 'key' | 'token' | 'session' | null
  readonly scopes: ReadonlySet<Scope>
  readonly ceiling: OrderedVisibility
  /** Workspaces the user is a member of; empty while the tenant does not use workspaces. */
  readonly workspaceIds: readonly string[]
  readonly audit: AuditFacts
  /** Set for a session that may only set up the second factor that its tenant demands. */
  readonly lacksSecondFactor?: true
  /** Absent unless the credential is a publishable key, which every visitor of a page has. */
  readonly publishable?: Publishable
  /**
   * Counts searches of the request beyond its first against the rate limit; absent for a caller without a limit.
   * @throws Fault rate_limited with the seconds to wait
   */
  readonly countSearches?: (count: number) => void
  /** Absent for searches that wait a moment for the latest texts. */
  readonly texts?: TextsWanted
}

/** Origin of a write, for its audit record. */
interface AuditFacts {
  /** The channel, as the service itself determined it: api, mcp, console, cli, oauth, or service for itself. */
  readonly source: string
  /** The OAuth client that the credential was issued to. */
  readonly clientId: string | null
  /**
   * Source and client that a gateway claims. Any holder of a credential can claim them, so no decision may depend on
   * them.
   */
  readonly claimed?: { readonly source: string | null; readonly clientId: string | null }
}

/** Parts of a request that identify its sender. */
export interface CallerFacts {
  readonly authorization: string | undefined
  /** Whether the request has an X-API-Key header, which this service does not use. */
  readonly hasApiKeyHeader: boolean
  /** The Cookie header, which may hold a session. */
  readonly cookies: string | undefined
  /** Host and port of the request; a tenant may have its own host. */
  readonly host: string
  /** The X-Scopes header, empty when absent. */
  readonly scopes: string
  /** The X-Audit-Source header. */
  readonly auditSource: string | undefined
  /** The X-Client-Id header. */
  readonly clientId: string | undefined
}

/**
 * Makes the caller of a request's credential.
 * @throws Fault `unauthorized` when the credential is missing, unknown, expired, revoked or of another tenant
 */
export type ResolveCaller = (facts: CallerFacts) => Promise<Caller>

import type { FastifyBaseLogger } from 'fastify'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { categoryRoutes } from './knowledge/categories/routes.ts'
import { CategoryRules } from './knowledge/categories/rules.ts'
import { LogThread } from './insights/log-thread/log-thread.ts'
import { clickRoutes } from './insights/analytics/routes.ts'
import { AnalyticsRules } from './insights/analytics/rules.ts'
import { learningRoutes } from './insights/learning/routes.ts'
import { LearningRules } from './insights/learning/rules.ts'
import { SearchLog } from './insights/search-log/search-log.ts'
import { WriteBehind } from './insights/search-log/write-behind.ts'
import { combinedSearchRoutes } from './channels/combined-search/routes.ts'
import { CombinedSearchRules } from './channels/combined-search/rules.ts'
import { judgedSetRoutes } from './channels/judged-sets/routes.ts'
import { JudgedSetRules } from './channels/judged-sets/rules.ts'
import { JudgedRunRules } from './channels/judged-sets/runs.ts'
import { laboratoryRoutes } from './channels/laboratory/routes.ts'
import { LaboratoryRules } from './channels/laboratory/rules.ts'
import { operatorRoutes } from './channels/operators/routes.ts'
import { OperatorRules } from './channels/operators/rules.ts'
import { installationStatus } from './channels/operators/status.ts'
import { startWarningLog } from './channels/operators/warning-log.ts'
import { statusRoutes } from './channels/status/routes.ts'
import { StatusRules } from './channels/status/rules.ts'
import { suggestRoutes } from './channels/suggest/routes.ts'
import { SuggestRules } from './channels/suggest/rules.ts'
import { type Config, readConfig } from './config.ts'
import { consoleRoutes } from './channels/console/routes.ts'
import { newId } from './platform/ids.ts'
import { waitForDatabase } from './platform/database/connect.ts'
import { type Database, type DatabaseOptions, openDatabase } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { type DatabaseRefused, RefusalWatch } from './platform/database/refusals.ts'
import { targetsOf } from './composition/embedding-targets.ts'
import { EmbedderPool } from './embedding/embedder-pool.ts'
import { openEmbedders } from './composition/open-embedders.ts'
import { QueueThread } from './embedding/queue-thread.ts'
import { embeddingRoutes } from './embedding/routes.ts'
import { EmbeddingRules } from './embedding/rules.ts'
import { storedLength } from './embedding/vector-length.ts'
import { EntryBinRules } from './knowledge/entries/bin/bin-rules.ts'
import { binRoutes } from './knowledge/entries/bin/bin-routes.ts'
import { entryBulkDeleteRoutes } from './knowledge/entries/bulk/bulk-delete-routes.ts'
import { EntryBulkDeleteRules } from './knowledge/entries/bulk/bulk-delete-rules.ts'
import { entryBulkRoutes } from './knowledge/entries/bulk/bulk-routes.ts'
import { EntryBulkRules } from './knowledge/entries/bulk/bulk-rules.ts'
import { CategoryCountRules } from './knowledge/entries/by-category/count-rules.ts'
import { CategoryMergeRules } from './knowledge/entries/by-category/merge-rules.ts'
import { entriesByCategoryRoutes } from './knowledge/entries/by-category/routes.ts'
import { bySourceRoutes } from './knowledge/entries/by-source-routes.ts'
import { ENTRY_INDEX } from './knowledge/entries/indexing/index-source.ts'
import { entryRoutes } from './knowledge/entries/routes.ts'
import { EntryWriter } from './knowledge/entries/writes/write.ts'
import { EntryRules } from './knowledge/entries/rules.ts'
import { EntrySearchRules } from './knowledge/entries/search/search-rules.ts'
import { EntrySuggestRules } from './knowledge/entries/search/suggest-rules.ts'
import { createHttp } from './platform/http/app.ts'
import { TenantRates } from './platform/http/tenant-rates.ts'
import { addDocs } from './platform/reference/docs-routes.ts'
import { addHealth } from './platform/http/health.ts'
import { answerProbesAtStart, type ProbesAtStart } from './platform/http/probes-at-start.ts'
import type { OpenApiDocument } from './platform/reference/openapi.ts'
import type { HttpApp, RoutePlugin } from './platform/http/route.ts'
import { idleTimeoutFor } from './platform/http/transport/connections.ts'
import { handOver, leave, stopGracefully } from './platform/http/transport/traffic.ts'
import { mcpRoutes } from './channels/mcp/routes.ts'
import { oauthPlugins } from './identity/oauth/oauth.ts'
import { productBulkRoutes } from './shop/products/bulk/bulk-routes.ts'
import { productBrowseRoutes } from './shop/products/browse/routes.ts'
import { MerchandisingInForce } from './shop/products/merchandising/in-force.ts'
import { productSyncRunRoutes } from './shop/products/sync-runs/routes.ts'
import { ProductSyncRunRules } from './shop/products/sync-runs/rules.ts'
import { merchandisingRoutes } from './shop/products/merchandising/routes.ts'
import { MerchandisingRules } from './shop/products/merchandising/rules.ts'
import { PRODUCT_INDEX } from './shop/products/indexing/index-source.ts'
import { productRoutes } from './shop/products/routes.ts'
import { ProductRules, forgetRetiredOfSite, siteHasProducts } from './shop/products/rules.ts'
import { productSearchRoutes } from './shop/products/search/search-routes.ts'
import { ProductSearchRules } from './shop/products/search/search-rules.ts'
import { ProductSuggestRules } from './shop/products/search/suggest-rules.ts'
import { projectRoutes } from './knowledge/projects/routes.ts'
import { ProjectRules } from './knowledge/projects/rules.ts'
import type { EngineForRequests } from './search/engine.ts'
import { MemoryEngine } from './search/memory/host/engine.ts'
import { PgvectorEngine } from './search/pgvector/engine.ts'
import { listReplicas } from './search/pgvector/replicas.ts'
import { ReplicaUse } from './search/engines/replica-use.ts'
import { RoutedEngine } from './search/engines/routed-engine.ts'
import type { TenantShare } from './search/tenant-share.ts'
import { joinPeers } from './search/passing/join-peers.ts'
import { joinProcesses, type SharedSearch } from './search/passing/join-processes.ts'
import { type Members, membersOf } from './search/passing/members.ts'
import { processIdentity } from './search/passing/process-identity.ts'
import { PASSING_KEY_PURPOSE } from './search/passing/sealed-line.ts'
import { snapshotFolder } from './search/memory/index/snapshots/snapshot-files.ts'
import type { ProcessPort } from './platform/processes/process-port.ts'
import { OpenedParts } from './platform/opened-parts.ts'
import { sealConcern, triedSeals } from './composition/copying/sealed.ts'
import { SECRET_KEY_NEEDED } from './platform/secret-file.ts'
import { SecretBox } from './platform/secrets.ts'
import { factorPlugins } from './identity/sessions/factors/factors.ts'
import { GroupMembers } from './identity/sign-in-rules/members.ts'
import { LogoutTokens } from './identity/provider-logout/logout-token.ts'
import { providerLogoutRoutes } from './identity/provider-logout/routes.ts'
import { ProviderLogoutRules } from './identity/provider-logout/rules.ts'
import { ProviderStateRules } from './identity/sign-in-rules/provider-state.ts'
import { signInRulesRoutes } from './identity/sign-in-rules/routes.ts'
import { SignInRulesRules } from './identity/sign-in-rules/rules.ts'
import { PendingSignIns } from './identity/sessions/pending-sign-in.ts'
import { ProviderClient } from './identity/sessions/provider-client.ts'
import { providerRoutes } from './identity/sessions/provider-routes.ts'
import { ProviderRules, type ProviderRulesOptions } from './identity/sessions/provider-rules.ts'
import type { PasswordCost } from './identity/sessions/password-hash.ts'
import { Passwords } from './identity/sessions/passwords.ts'
import { sessionRoutes } from './identity/sessions/routes.ts'
import { SessionRules } from './identity/sessions/rules.ts'
import { invitationRoutes } from './identity/invitations/routes.ts'
import { InvitationRules } from './identity/invitations/rules.ts'
import { Outbox } from './identity/mail/outbox.ts'
import { mailTransport } from './identity/mail/transport.ts'
import { passwordResetRoutes } from './identity/password-resets/routes.ts'
import { PasswordResetRules } from './identity/password-resets/rules.ts'
import { profileRoutes } from './identity/profile/routes.ts'
import { ProfileRules } from './identity/profile/rules.ts'
import { siteKnowledgeRoutes } from './shop/sites/knowledge-routes.ts'
import { SiteKnowledgeRules } from './shop/sites/knowledge-rules.ts'
import { siteRoutes } from './shop/sites/routes.ts'
import { findSiteNamed, SiteRules } from './shop/sites/rules.ts'
import { eraseUser } from './composition/erase-user.ts'
import { watchBackups } from './composition/backup/backup-metrics.ts'
import { backupState, startBackups } from './composition/backup/schedule.ts'
import { removeSnapshotsOfGone } from './composition/tenants/snapshots.ts'
import { startErasedReplicas } from './composition/tenants/erased-replicas.ts'
import { startTenantKeeper } from './composition/tenants/keeper.ts'
import { startSweeper } from './composition/sweeper.ts'
import { countPassedSearches, watchEngine } from './search/telemetry/engine-metrics.ts'
import { observeEngine } from './search/telemetry/engine-observer.ts'
import { watchSnapshots } from './search/telemetry/snapshot-metrics.ts'
import { SnapshotFiles } from './search/memory/index/snapshots/snapshot-files.ts'
import { countEvents } from './insights/search-log/event-metrics.ts'
import type { ThreadHealth } from './platform/threads/supervisor.ts'
import { UsageTally } from './platform/usage/usage-tally.ts'
import { createMetrics, type Metrics } from './platform/telemetry/metrics.ts'
import { publishBuild } from './platform/telemetry/build-metrics.ts'
import { watchDatabase } from './platform/telemetry/database-metrics.ts'
import { type Queues, watchQueues } from './platform/telemetry/queue-metrics.ts'
import { countEmbeddingCalls, watchBacklog } from './embedding/telemetry/embedding-metrics.ts'
import { pageSlots } from './platform/threads/page-slots.ts'
import { threadSlices } from './platform/threads/slices.ts'
import { watchThreads } from './platform/telemetry/thread-metrics.ts'
import { startTelemetry } from './platform/telemetry/opentelemetry/start.ts'
import type { Tracing } from './platform/telemetry/tracing.ts'
import { TenantAdministration } from './identity/administration/rules.ts'
import { auditRoutes } from './identity/audit-trail/routes.ts'
import { AuditTrail } from './identity/audit-trail/rules.ts'
import { type KeyUse, keyUseRecorder } from './identity/api-keys/key-use.ts'
import { requireLasting } from './identity/api-keys/lasting.ts'
import { originCheck } from './identity/api-keys/rules.ts'
import { quotaRoutes } from './identity/quotas/routes.ts'
import { QuotaRules } from './identity/quotas/rules.ts'
import { realmOf } from './identity/tenants/realm.ts'
import { tenantSettingsRoutes } from './identity/tenants/routes.ts'
import { hasTenants } from './identity/tenants/rules.ts'
import { operatorResolver } from './identity/operators/rules.ts'
import { TenantSettingsRules } from './identity/tenants/settings-rules.ts'
import { callerResolver } from './identity/credentials/resolve-caller.ts'
import { factorResetRoutes } from './identity/administration/reset-routes.ts'
import { FactorResets } from './identity/administration/reset-rules.ts'
import { tenantRoutes } from './identity/administration/routes.ts'
import { signInStatusRoutes } from './identity/administration/sign-in-status-routes.ts'
import { SignInStatus } from './identity/administration/sign-in-status-rules.ts'
import { userRoutes } from './identity/administration/user-routes.ts'
import { UserAdministration } from './identity/administration/user-rules.ts'
import { bootstrap, type Bootstrap } from './composition/bootstrap.ts'
import { readerRoutes } from './knowledge/readers/routes.ts'
import { ReaderRules } from './knowledge/readers/rules.ts'
import { workspaceRoutes } from './knowledge/workspaces/routes.ts'
import { WorkspaceRules } from './knowledge/workspaces/rules.ts'

/** The parts that routes need. `startService` opens them; the API's documentation does not need them open. */
export interface Parts {
  readonly database: Database
  readonly engine: EngineForRequests
  readonly embedders: EmbedderPool
  readonly keyUse: KeyUse
  /** Base address as clients know it. On a free port the address is known only once the service listens. */
  readonly publicUrl: () => string
  readonly secrets: SecretBox
  readonly searchLog: SearchLog
  readonly logThread: Pick<LogThread, 'analyse' | 'learn' | 'learntFor' | 'learntQueries'>
  readonly onQueued: () => void
  /** Names of what keeps the service from answering; empty when it is ready. */
  readonly missing: () => Promise<readonly string[]>
  readonly metrics: Metrics
  /** What `/metrics` answers; by default `metrics` alone. */
  readonly scrape?: () => Promise<string>
  /** Where traces are told; by default nowhere. */
  readonly tracing?: Tracing | null
  /** Health of the worker threads; without it there are none. */
  readonly threads?: () => readonly ThreadHealth[]
  /** Queues of the parts, for metrics. */
  readonly queues?: Queues
  /** Mail that waits to be sent; absent when the service sends none. */
  readonly outbox?: Outbox
  /** Replaces `fetch` for client id metadata documents. */
  readonly fetchDocument?: typeof globalThis.fetch
  /** What the hash of a new password takes. Only tests choose less than the default; no setting can. */
  readonly passwordCost?: PasswordCost
}

/** How long a stop waits for the search log to be written. */
const LOG_FLUSH_TIMEOUT_MS = 2_000

type AppConfig = Pick<
  Config,
  | 'publicUrl'
  | 'requestLog'
  | 'rateLimitPerMinute'
  | 'publishableRateLimitPerMinute'
  | 'operatorRateLimitPerMinute'
  | 'operatorNetworks'
  | 'connectionsPerAddress'
  | 'searchWaitSeconds'
  | 'trustProxy'
  | 'signInProvider'
  | 'backup'
  | 'oauth'
>

/** Makes the app from its parts; no other place does. The app does not listen yet. */
export function createApp(config: AppConfig, parts: Parts, logger?: FastifyBaseLogger): HttpApp {
  const { database, engine, embedders } = parts
  const tenantRates = new TenantRates()
  const app = createHttp({
    tenantRates,
    resolveCaller: callerResolver(database, parts.keyUse, parts.publicUrl),
    publicUrl: config.publicUrl,
    rateLimitPerMinute: config.rateLimitPerMinute,
    publishableRateLimitPerMinute: config.publishableRateLimitPerMinute,
    resolveOperator: operatorResolver(database),
    operatorNetworks: config.operatorNetworks,
    operatorRateLimitPerMinute: config.operatorRateLimitPerMinute,
    isOriginAllowed: originCheck(database, parts.publicUrl),
    connectionsPerAddress: config.connectionsPerAddress,
    // Twice, where a search turns to its other engine after a wait.
    idleTimeoutMs: idleTimeoutFor(2 * config.searchWaitSeconds * 1_000),
    trustProxy: config.trustProxy,
    logger,
    requestLog: config.requestLog,
    observe: parts.metrics.observe,
    tracing: parts.tracing,
  })
  const categories = new CategoryRules(database)
  const writing = { database, embedders, onQueued: parts.onQueued }
  const entries = new EntryRules(writing)
  const search = new EntrySearchRules({ database, engine, embedders, categories, log: parts.searchLog })
  const products = new ProductRules(writing)
  const merchandising = new MerchandisingInForce(database)
  const merchandisingRules = new MerchandisingRules(database)
  const productSearch = new ProductSearchRules({ database, engine, embedders, log: parts.searchLog, merchandising })
  // Its searches are tries, not what people search for.
  const unlogged = { record: newId }
  const laboratory = new LaboratoryRules({
    database,
    entries,
    products,
    merchandising: merchandisingRules,
    entrySearch: new EntrySearchRules({ database, engine, embedders, categories, log: unlogged }),
    productSearch: new ProductSearchRules({ database, engine, embedders, log: unlogged, merchandising }),
  })
  const warn = (error: unknown): void => app.log.warn({ err: error }, 'a background task failed')
  const passwords = new Passwords(parts.passwordCost)
  const { publicUrl, outbox = null } = parts
  const sessions = new SessionRules({ database, publicUrl, onError: warn, passwords })
  const people = { database, sessions, passwords, outbox, publicUrl, onError: warn }
  const { signInProvider: outside } = config
  const provider = outside === null ? null : { ...outside, client: new ProviderClient(outside, Date.now) }
  const logoutTokens = provider === null ? null : new LogoutTokens(provider.client, provider.clientId, Date.now)
  const signedIn = { database, members: new GroupMembers(database), sessions, publicUrl, onError: warn }
  const embedding = new EmbeddingRules({ database, targets: targetsOf(), targetModel: embedders.current.id })
  const plugins = [
    entryRoutes(entries, search),
    bySourceRoutes(entries),
    entryBulkRoutes(new EntryBulkRules(writing)),
    entryBulkDeleteRoutes(new EntryBulkDeleteRules(writing)),
    binRoutes(new EntryBinRules(writing)),
    categoryRoutes(categories),
    entriesByCategoryRoutes(
      new CategoryCountRules(database, categories),
      new CategoryMergeRules(new EntryWriter(writing), categories),
    ),
    projectRoutes(new ProjectRules(database)),
    workspaceRoutes(new WorkspaceRules(database)),
    readerRoutes(new ReaderRules(database)),
    clickRoutes(parts.searchLog, new AnalyticsRules(parts.logThread)),
    learningRoutes(new LearningRules(database, parts.logThread)),
    siteRoutes(new SiteRules(database, { siteHasProducts, forgetRetiredOfSite })),
    siteKnowledgeRoutes(new SiteKnowledgeRules(database)),
    productRoutes(products),
    productBulkRoutes(products),
    productSyncRunRoutes(new ProductSyncRunRules(database)),
    merchandisingRoutes(merchandisingRules, productSearch),
    productSearchRoutes(productSearch),
    productBrowseRoutes(productSearch),
    combinedSearchRoutes(new CombinedSearchRules({ database, entries: search, products: productSearch })),
    laboratoryRoutes(laboratory),
    judgedSetRoutes(new JudgedSetRules(database), new JudgedRunRules({ database, laboratory, onError: warn })),
    suggestRoutes(
      new SuggestRules({
        database,
        entries: new EntrySuggestRules({ database, engine }),
        products: new ProductSuggestRules({ database, engine, merchandising }),
      }),
    ),
    sessionRoutes(sessions, { publicUrl, providerName: provider?.name ?? null, hasMail: outbox !== null }),
    ...factorPlugins({ database, sessions, secrets: parts.secrets, publicUrl }),
    profileRoutes(new ProfileRules(people), publicUrl),
    userRoutes(new UserAdministration(database, eraseUser)),
    signInStatusRoutes(new SignInStatus(database)),
    invitationRoutes(new InvitationRules(people), publicUrl),
    passwordResetRoutes(new PasswordResetRules(people)),
    ...(provider === null ? [] : [signInAtProvider(provider.client, parts.secrets, signedIn)]),
    providerLogoutRoutes(new ProviderLogoutRules({ database, tokens: logoutTokens, onError: warn })),
    tenantRoutes(new TenantAdministration(database, findSiteNamed)),
    operatorRoutes(
      new OperatorRules({
        database,
        engine,
        model: embedders.current.id,
        threads: parts.threads ?? (() => []),
        publicUrl: parts.publicUrl,
        passwordCost: parts.passwordCost,
        backupEveryHours: config.backup.everyHours,
      }),
    ),
    factorResetRoutes(new FactorResets(database)),
    embeddingRoutes(embedding),
    statusRoutes(new StatusRules({ engine, embedding, indexes: [ENTRY_INDEX.name, PRODUCT_INDEX.name] })),
    auditRoutes(new AuditTrail(database)),
    quotaRoutes(new QuotaRules(database)),
    tenantSettingsRoutes(new TenantSettingsRules(database, requireLasting)),
    signInRulesRoutes(new SignInRulesRules(database), new ProviderStateRules({ database, provider, publicUrl })),
    ...oauthPlugins(
      { database, secrets: parts.secrets, config: config.oauth, fetch: parts.fetchDocument },
      parts.publicUrl,
      tenantRates,
    ),
    mcpRoutes({
      rules: { entries, search, categories, products: productSearch },
      publicUrl: parts.publicUrl,
      originOf: async ({ host }) => (await realmOf(database.queries, host, parts.publicUrl())).issuer,
    }),
  ]
  for (const plugin of plugins) plugin(app)
  const { registry } = parts.metrics
  const { contentType } = registry
  addHealth(app, parts.missing, { contentType, metrics: parts.scrape ?? (() => registry.metrics()) })
  addDocs(app)
  consoleRoutes()(app)
  parts.metrics.watchInFlight(() => app.traffic.inFlight)
  watchQueues(parts.metrics.registry, {
    requests: () => app.turns.waiting,
    slices: () => threadSlices.waiting,
    pages: () => pageSlots.waiting,
    passwords: () => passwords.waiting,
    ...parts.queues,
  })
  return app
}

function signInAtProvider(
  client: ProviderClient,
  secrets: SecretBox,
  options: Omit<ProviderRulesOptions, 'client'>,
): RoutePlugin {
  const rules = new ProviderRules({ ...options, client })
  return providerRoutes(rules, new PendingSignIns(secrets, Date.now), options.publicUrl)
}

/** How long a start waits at most for a model that runs in this process. */
const LOAD_WITHIN_MS = 2_000
/** Of the ten seconds of a stop, one is left for closing the parts. */
const REQUESTS_END_WITHIN_MS = 9_000

export interface Service {
  readonly app: HttpApp
  /** Address that the service listens on. */
  readonly url: string
  /** Address at which clients reach the service. */
  readonly publicUrl: string
  /** What the first start created; null on every later one. */
  readonly created: Bootstrap | null
  /**
   * Resolves when the indexes used last and the model are in memory, as far as two seconds suffice for each. `/readyz`
   * is not 200 before; requests are answered all the same.
   */
  readonly warmed: Promise<void>
  /** Resolves when PostgreSQL has refused new connections for longer than the service waits. On SQLite it never does. */
  readonly refused: Promise<DatabaseRefused>
  /** Serves on while `/readyz` says that the service leaves; resolves after the delay. Before `stop`. */
  leave(delayMs: number): Promise<void>
  /** Leaves the port to the processes that share it; resolves after the delay. Before `stop`. */
  handOver(delayMs: number): Promise<void>
  /** Finishes running requests and closes everything, within ten seconds. */
  stop(): Promise<void>
}

interface StartOptions extends Pick<Parts, 'fetchDocument' | 'passwordCost'> {
  /** The clock of the search log; by default the process's. */
  readonly now?: () => number
  /** The line to the supervisor of several processes; by default there is none. */
  readonly port?: ProcessPort | null
}

/**
 * Opens the database, brings it up to date and starts to serve.
 * @throws ConfigError, DataDirectoryError or MigrationError with a message for the operator
 */
export async function startService(
  config: Config,
  logger: FastifyBaseLogger = pino({ level: 'silent' }),
  options: StartOptions = {},
): Promise<Service> {
  const opened = new OpenedParts()
  try {
    return await start(config, logger, options, opened)
  } catch (error) {
    // Otherwise threads and timers would keep the process alive.
    await opened.close().catch((failure: unknown) => logger.warn({ err: failure }, 'not everything could be closed'))
    throw error
  }
}

/** @param opened gets every part as it is opened, so that a failure half-way leaves none open */
async function start(
  config: Config,
  logger: FastifyBaseLogger,
  { fetchDocument, passwordCost, now, port = null }: StartOptions,
  opened: OpenedParts,
): Promise<Service> {
  const place: DatabaseOptions = { dataDir: config.dataDir, databaseUrl: config.databaseUrl }
  const warn = (error: unknown): void => logger.warn({ err: error }, 'a background task failed')
  const metrics = createMetrics()
  if (port !== null) {
    metrics.registry.setDefaultLabels({ process: port.number })
    port.publish(() => metrics.registry.metrics())
  }
  const countCall = countEmbeddingCalls(metrics.registry)
  const { openTelemetry } = config
  const telemetry =
    openTelemetry === null
      ? null
      : startTelemetry({ registry: metrics.registry, warn: (text) => logger.warn(text), env: openTelemetry })
  if (telemetry !== null) opened.add(telemetry)
  opened.beginStage()
  const database = opened.add(openDatabase({ ...place, poolMax: config.databasePoolMax, onError: warn }))
  opened.beginStage()
  const usage = opened.add(new UsageTally(database, warn))
  opened.beginStage()
  const onTokens = (tenantId: string, tokens: number): void => usage.embedded(tenantId, tokens)
  const targets = targetsOf()
  const lengthOf = (tenantId: string, model: string): Promise<number | null> =>
    storedLength(database.queries, targets, tenantId, model)
  const embedders = opened.add(openEmbedders(config, onTokens, countCall, lengthOf))
  const probes = opened.add(probesAtStart(config))
  // A process that is started later leaves the port to those that serve.
  const answersProbes = port === null || port.isFirst
  await prepareDatabase(database, config, logger, () => (answersProbes ? probes.begin() : Promise.resolve()))
  opened.beginStage()

  const megabyte = 1024 * 1024
  const snapshots =
    config.searchSnapshotMb === 0
      ? null
      : { folder: snapshotFolder(config.dataDir), bytesMax: config.searchSnapshotMb * megabyte }
  const members = config.searchPassing === null ? null : membersOf(config.searchPassing, port?.number ?? 1)
  const share = shareAtStart(port, members, config)
  const memory = opened.add(
    new MemoryEngine(
      {
        sourceModule: new URL('./composition/search-sources.ts', import.meta.url).href,
        sourceOptions: { ...place, replicaUrl: config.databaseReplicaUrl },
        bytesMax: config.searchMemoryMb * megabyte,
        tenantBytesMax: config.searchMemoryPerTenantMb * megabyte,
        buildWaitMs: config.searchWaitSeconds * 1_000,
        snapshots,
        ...(share === null ? {} : { share }),
      },
      observeEngine(metrics.registry, logger),
    ),
  )
  const replicas =
    config.databaseUrl === null
      ? null
      : opened.add(
          new PgvectorEngine(
            {
              sourceModule: new URL('./composition/search-sources.ts', import.meta.url).href,
              database: place,
              buildWaitMs: 0,
              catchUpWaitMs: config.searchWaitSeconds * 1_000,
            },
            { warn: (details, message) => logger.warn(details, message) },
          ),
        )
  const loaded = Promise.race([embedders.prepare(), sleep(LOAD_WITHIN_MS, undefined, { ref: false })])
  const warmed = Promise.allSettled([memory.warmed(), loaded]).then(() => undefined)
  const shared = await joinOthers(port, members, { memory, config, metrics, warmed, logger })
  if (shared !== null) opened.add(shared)
  const replicaUse = new ReplicaUse()
  // A tenant that went back to memory and does not fit must not wait for the keeper's first look.
  replicaUse.know((await listReplicas(database)).filter(({ isReady }) => isReady))
  const engine = new RoutedEngine(shared?.engine ?? memory, replicas, replicaUse)
  const targetsModule = new URL('./composition/embedding-targets.ts', import.meta.url).href
  const { startedAt } = embedders
  const queueData = {
    database: place,
    embedding: config.embedding,
    targetsModule,
    startedAt,
    openTelemetry: telemetry === null ? null : openTelemetry,
  }
  const queue = opened.add(new QueueThread(queueData, logger, countCall))
  const keyUse = opened.add(keyUseRecorder(database, warn))
  const logThread = opened.add(new LogThread({ ...place, secretKey: config.secretKey }, logger))
  opened.beginStage()
  const events = countEvents(metrics.registry)
  const logWriter = new WriteBehind((batch) => logThread.write(batch), events)
  opened.add({ close: () => logWriter.close(LOG_FLUSH_TIMEOUT_MS) })
  opened.beginStage()
  const secrets = SecretBox.of(config)
  const outbox =
    config.mail === null
      ? undefined
      : opened.add(new Outbox({ database, secrets, send: mailTransport(config.mail), onError: warn }))
  opened.beginStage()
  opened.add(startSweeper(database, warn, undefined, outbox))
  opened.add(startTenantKeeper(database, memory, warn, replicaUse))
  if (replicas !== null) opened.add(startErasedReplicas(database, replicas, warn))
  const { everyHours } = config.backup
  watchBackups(metrics.registry, () => backupState(database))
  let publicUrl = config.publicUrl
  watchEngine(metrics.registry, memory)
  const threads = [memory, ...(replicas === null ? [] : [replicas]), queue, logThread]
  watchThreads(metrics.registry, threads)
  watchDatabase(metrics.registry, database)
  watchBacklog(metrics.registry, () => queue.backlog)
  if (snapshots !== null) watchSnapshots(metrics.registry, new SnapshotFiles(snapshots.folder, snapshots.bytesMax))
  publishBuild(metrics.registry, { database: database.portable.name, model: embedders.current.id })
  const entry =
    config.databaseUrl === null ? null : opened.add(watchEntry(place, config.databaseRefusalSeconds, logger))
  const health = (): readonly ThreadHealth[] => threads.map((thread) => thread.health)
  const sources = { database, engine, model: embedders.current.id, threads: health, backupEveryHours: everyHours }
  const warningsNow = async (): Promise<readonly string[]> => (await installationStatus(sources)).warnings
  opened.add(startWarningLog(warningsNow, (text) => logger.warn(text), warn))
  const parts: Parts = {
    database,
    engine,
    embedders,
    keyUse,
    publicUrl: () => publicUrl,
    secrets,
    outbox,
    fetchDocument,
    passwordCost,
    searchLog: new SearchLog(logWriter, events, now, (tenantId) => usage.search(tenantId)),
    logThread,
    onQueued: () => queue.wake(),
    missing: async () => {
      await warmed
      return entry?.isRefused ? ['database'] : readiness(database, memory)
    },
    threads: health,
    queues: {
      searches: () => memory.waiting + (replicas?.waiting ?? 0),
      search_log: () => logWriter.waiting,
      ...(outbox === undefined ? {} : { mail: () => outbox.waiting() }),
    },
    metrics,
    ...(port === null ? {} : { scrape: () => port.scrape() }),
    tracing: telemetry?.tracing,
  }
  const app = createApp(config, parts, logger)
  opened.add({ close: () => stopGracefully(app, REQUESTS_END_WITHIN_MS) })
  await probes.close()
  const url = await app.listen({ port: config.port, host: config.host })
  // With PORT=0 the address is known only now.
  if (new URL(publicUrl).port === '0') publicUrl = `http://localhost:${new URL(url).port}`
  // After listening: a start that fails on a taken port must not create a key that nobody sees.
  const created = await bootstrap(database, config.bootstrap, passwordCost)
  if (everyHours !== null) opened.add(startBackups(database, config, everyHours, logger))
  return {
    app,
    url,
    publicUrl,
    created,
    warmed,
    refused: entry?.lasting ?? new Promise(() => undefined),
    leave: (delayMs) => leave(app, delayMs),
    handOver: (delayMs) => handOver(app, delayMs),
    stop: () => opened.close(),
  }
}

/** The tenants that a process holds once all processes are there; null where it holds all, or does not know yet. */
function shareAtStart(
  port: ProcessPort | null,
  members: Members | null,
  { searchProcessesPerTenant: holders }: Config,
): TenantShare | null {
  if (members !== null) return members.shareOf(holders)
  if (port === null) return null
  const processes = Array.from({ length: port.count }, (_, i) => String(i + 1))
  return { own: String(port.number), processes, holders }
}

/** What a process brings along when it joins others. */
interface Joining {
  readonly memory: MemoryEngine
  readonly config: Config
  readonly metrics: Metrics
  /** Resolves when the process can answer. */
  readonly warmed: Promise<void>
  readonly logger: FastifyBaseLogger
}

/** Joins the processes of all machines, or else those of this one. @returns null where there are no others */
async function joinOthers(
  port: ProcessPort | null,
  members: Members | null,
  { memory, config, metrics, warmed, logger }: Joining,
): Promise<SharedSearch | null> {
  if (members === null && port === null) return null
  const warn = (error: unknown): void =>
    logger.warn({ err: error }, 'other processes cannot pass searches on to this one')
  const options = {
    engine: memory,
    identity: await processIdentity(warn),
    holders: config.searchProcessesPerTenant,
    onOutcome: countPassedSearches(metrics.registry),
  }
  if (members === null) return joinProcesses(port!, options, warn)
  return joinPeers(members, SecretBox.of(config).derive(PASSING_KEY_PURPOSE), options, warmed, logger)
}

/** Waits for the database and brings its schema up to date. @param onWait called when it does not answer at first */
async function prepareDatabase(
  database: Database,
  config: Config,
  logger: FastifyBaseLogger,
  onWait: () => Promise<void>,
): Promise<void> {
  await waitForDatabase(database, {
    warn: (details: object, message: string) => logger.warn(details, message),
    info: (details: object, message: string) => logger.info(details, message),
    begins: onWait,
  })
  const applied = await migrate(database)
  if (applied.length > 0) logger.info({ migrations: applied }, 'schema updated')
  await removeSnapshotsOfGone(database, config.dataDir).catch((error: unknown) =>
    logger.warn({ err: error }, 'snapshots of removed tenants could not be deleted'),
  )
  if (config.databaseUrl !== null && config.secretKey === null) logger.warn(SECRET_KEY_NEEDED)
  const concern = sealConcern(await triedSeals(database.queries, config), config)
  if (concern !== null) logger.warn(concern)
}

/** Answers probes from `begin` on, until the service itself listens on its address. */
function probesAtStart(config: Config) {
  let probes: ProbesAtStart | null = null
  return {
    async begin(): Promise<void> {
      probes = await answerProbesAtStart(config, 'database')
    },
    async close(): Promise<void> {
      const open = probes
      probes = null
      await open?.close()
    },
  }
}

function watchEntry(place: DatabaseOptions, refusalSeconds: number, logger: FastifyBaseLogger): RefusalWatch {
  return new RefusalWatch({
    tryEntry: () => tryEntry(place),
    patienceMs: refusalSeconds * 1_000,
    onRefused: ({ message }) =>
      logger.error({ error: message, endsInSeconds: refusalSeconds }, 'PostgreSQL refuses new connections'),
  })
}

/** Reads a row with a connection of its own. @throws the driver's error when the database does not let it in */
async function tryEntry(place: DatabaseOptions): Promise<void> {
  const database = openDatabase({ ...place, poolMax: 1 })
  try {
    await hasTenants(database.queries)
  } finally {
    await database.close()
  }
}

/** Names of what is missing before requests can be answered; empty when the service is ready. */
async function readiness(database: Database, engine: MemoryEngine): Promise<readonly string[]> {
  if (engine.health.isDown) return ['search thread']
  const [tenants, search] = await Promise.allSettled([hasTenants(database.queries), engine.check()])
  if (tenants.status === 'rejected') return ['database']
  if (!tenants.value) return ['tenant']
  // The search thread has connections of its own, which may be missing while others are there.
  return search.status === 'rejected' ? ['search'] : []
}

/** Describes every route of the service without opening any of its parts. */
export function documentOf(): OpenApiDocument {
  const unopened = {} as Pick<Parts, 'engine' | 'keyUse' | 'searchLog' | 'logThread'>
  const parts: Parts = {
    ...unopened,
    publicUrl: () => 'http://localhost:8080',
    secrets: new SecretBox(() => ''),
    database: openDatabase({ dataDir: '', databaseUrl: null }),
    embedders: new EmbedderPool({ provider: 'builtin', url: null, model: null, apiKey: null, dimensions: null }),
    onQueued: () => undefined,
    missing: () => Promise.resolve([]),
    metrics: createMetrics(),
  }
  const config = readConfig({})
  const app = createApp(config, parts)
  return app.documentation.document()
}

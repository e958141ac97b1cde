import type { FastifyBaseLogger } from 'fastify'
import { type ChannelParts, channelWing } from './channels/wing.ts'
import { targetsOf } from './composition/embedding-targets.ts'
import { eraseUser } from './composition/erase-user.ts'
import { type Config, readConfig } from './config.ts'
import { EmbedderPool } from './embedding/embedder-pool.ts'
import { ModelChoiceRules } from './embedding/choice-rules.ts'
import { embeddingRoutes } from './embedding/routes.ts'
import { EmbeddingRules } from './embedding/rules.ts'
import type { KeyUse } from './identity/api-keys/key-use.ts'
import { originCheck } from './identity/api-keys/rules.ts'
import { callerResolver } from './identity/credentials/resolve-caller.ts'
import { operatorResolver } from './identity/operators/rules.ts'
import { type IdentityParts, identityWing } from './identity/wing.ts'
import { type InsightsParts, insightsWing } from './insights/wing.ts'
import { type KnowledgeParts, knowledgeWing } from './knowledge/wing.ts'
import { openDatabase } from './platform/database/database.ts'
import { createHttp } from './platform/http/app.ts'
import { addHealth } from './platform/http/health.ts'
import type { HttpApp } from './platform/http/route.ts'
import { TenantRates } from './platform/http/tenant-rates.ts'
import { idleTimeoutFor } from './platform/http/transport/connections.ts'
import type { NoteWork } from './platform/http/transport/traffic.ts'
import { addDocs } from './platform/reference/docs-routes.ts'
import type { OpenApiDocument } from './platform/reference/openapi.ts'
import { SecretBox } from './platform/secrets.ts'
import { createMetrics, type Metrics } from './platform/telemetry/metrics.ts'
import { type Queues, watchQueues } from './platform/telemetry/queue-metrics.ts'
import type { Tracing } from './platform/telemetry/tracing.ts'
import { pageSlots } from './platform/threads/page-slots.ts'
import { threadSlices } from './platform/threads/slices.ts'
import { siteNamed } from './shop/sites/rules.ts'
import { type ShopParts, shopWing } from './shop/wing.ts'

/** The parts that routes need. `startService` opens them; the documentation of the API works without that. */
export interface Parts extends IdentityParts, InsightsParts, KnowledgeParts, ShopParts, ChannelParts {
  readonly keyUse: KeyUse
  /** Returns the names of the parts that are missing to answer requests; none when the service is ready. */
  readonly missing: () => Promise<readonly string[]>
  readonly metrics: Metrics
  /** Receives what each tenant's requests took; by default nothing counts it. */
  readonly noteWork?: NoteWork
  /** Returns the answer of `/metrics`; by default that is `metrics` alone. */
  readonly scrape?: () => Promise<string>
  /** The receiver of traces; by default there is none. */
  readonly tracing?: Tracing | null
  /** The queues of the parts, whose lengths are metrics. */
  readonly queues?: Queues
}

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
  | 'answerCompression'
  | 'signInProvider'
  | 'backup'
  | 'oauth'
  | 'probePort'
  | 'metricsToken'
>

/** Makes the app with all its routes. The app does not listen yet. */
export function createApp(config: AppConfig, parts: Parts, logger?: FastifyBaseLogger): HttpApp {
  const { database, embedders } = parts
  const tenantRates = new TenantRates()
  const app = createFrame(config, parts, tenantRates, logger)
  const onError = (error: unknown): void => app.log.warn({ err: error }, 'a background task failed')
  const knowledge = knowledgeWing(parts)
  const shop = shopWing(parts)
  const embedding = new EmbeddingRules({
    database,
    targets: targetsOf(),
    installed: embedders.installed,
    provider: embedders.health,
    unreadReason: (models) => embedders.unreadReason(models),
  })
  const modelChoice = new ModelChoiceRules({ database, targets: targetsOf(), embedders, onChosen: parts.onQueued })
  const channels = channelWing(parts, { knowledge, shop, embedding, backupPlan: config.backup, onError })
  const identity = identityWing(parts, { config, tenantRates, eraseUser, findSite: siteNamed, onError })
  // The documents list the routes in this order.
  const plugins = [
    ...knowledge.plugins,
    ...insightsWing(parts),
    ...shop.plugins,
    ...channels.search,
    ...identity.people,
    channels.operators,
    identity.factorResets,
    embeddingRoutes(embedding, modelChoice),
    channels.status,
    ...identity.tenant,
    channels.mcp,
  ]
  for (const plugin of plugins) plugin(app)
  const { registry } = parts.metrics
  const { contentType } = registry
  const published = { contentType, metrics: parts.scrape ?? (() => parts.metrics.text()), token: config.metricsToken }
  addHealth(app, parts.missing, config.probePort === null ? published : null)
  addDocs(app)
  channels.console(app)
  parts.metrics.watchInFlight(() => app.traffic.inFlight)
  watchQueues(registry, {
    requests: () => app.turns.waiting,
    slices: () => threadSlices.waiting,
    pages: () => pageSlots.waiting,
    passwords: () => identity.passwords.waiting,
    ...parts.queues,
  })
  return app
}

/** Makes the app without routes: credentials, limits, connections, log and metrics. */
function createFrame(
  config: AppConfig,
  { database, keyUse, publicUrl, metrics, noteWork, tracing, secrets }: Parts,
  tenantRates: TenantRates,
  logger: FastifyBaseLogger | undefined,
): HttpApp {
  return createHttp({
    tenantRates,
    resolveCaller: callerResolver(database, keyUse, publicUrl),
    publicUrl: config.publicUrl,
    rateLimitPerMinute: config.rateLimitPerMinute,
    publishableRateLimitPerMinute: config.publishableRateLimitPerMinute,
    resolveOperator: operatorResolver(database),
    operatorNetworks: config.operatorNetworks,
    operatorRateLimitPerMinute: config.operatorRateLimitPerMinute,
    isOriginAllowed: originCheck(database, publicUrl),
    connectionsPerAddress: config.connectionsPerAddress,
    // Twice the wait of a search, which after the first wait may turn to its other engine.
    idleTimeoutMs: idleTimeoutFor(2 * config.searchWaitSeconds * 1_000),
    trustProxy: config.trustProxy,
    compressesAnswers: config.answerCompression === 'on',
    logger,
    requestLog: config.requestLog,
    observe: metrics.observe,
    noteWork,
    tracing,
    watermarkKey: () => secrets.derive('watermark'),
    formerWatermarkKeys: () => secrets.deriveFormer('watermark'),
  })
}

/** Describes every route of the service without opening any of its parts. */
export function documentOf(): OpenApiDocument {
  const config = readConfig({})
  const unopened = {} as Pick<Parts, 'engine' | 'keyUse' | 'searchLog' | 'logThread'>
  const parts: Parts = {
    ...unopened,
    publicUrl: () => 'http://localhost:8080',
    secrets: new SecretBox(() => ''),
    database: openDatabase({ dataDir: '', databaseUrl: null }),
    embedders: new EmbedderPool(config.embedding),
    onQueued: () => undefined,
    missing: () => Promise.resolve([]),
    metrics: createMetrics(),
  }
  return createApp(config, parts).documentation.document()
}

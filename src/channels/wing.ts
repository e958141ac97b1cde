import type { EmbedderPool } from '../embedding/embedder-pool.ts'
import type { EmbeddingRules } from '../embedding/rules.ts'
import type { PasswordCost } from '../identity/sessions/password-hash.ts'
import { realmOf } from '../identity/tenants/realm.ts'
import { ENTRY_INDEX } from '../knowledge/entries/indexing/index-source.ts'
import { EntrySearchRules } from '../knowledge/entries/search/search-rules.ts'
import { EntrySuggestRules } from '../knowledge/entries/search/suggest-rules.ts'
import type { KnowledgeWing } from '../knowledge/wing.ts'
import type { BackupPlan } from '../composition/backup/concern.ts'
import type { Database } from '../platform/database/database.ts'
import type { RoutePlugin } from '../platform/http/route.ts'
import { newId } from '../platform/ids.ts'
import type { DamageWatch } from '../platform/telemetry/damage-watch.ts'
import type { ThreadHealth } from '../platform/threads/supervisor.ts'
import type { EngineForRequests } from '../search/engine.ts'
import { PRODUCT_INDEX } from '../shop/products/indexing/index-source.ts'
import { ProductSearchRules } from '../shop/products/search/search-rules.ts'
import { ProductSuggestRules } from '../shop/products/search/suggest-rules.ts'
import type { ShopWing } from '../shop/wing.ts'
import { combinedSearchRoutes } from './combined-search/routes.ts'
import { CombinedSearchRules } from './combined-search/rules.ts'
import { consoleRoutes } from './console/routes.ts'
import { judgedSetRoutes } from './judged-sets/routes.ts'
import { JudgedSetRules } from './judged-sets/rules.ts'
import { JudgedRunRules } from './judged-sets/runs.ts'
import { laboratoryRoutes } from './laboratory/routes.ts'
import { LaboratoryRules } from './laboratory/rules.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { operatorRoutes } from './operators/routes.ts'
import { OperatorRules } from './operators/rules.ts'
import { statusRoutes } from './status/routes.ts'
import { StatusRules } from './status/rules.ts'
import { suggestRoutes } from './suggest/routes.ts'
import { SuggestRules } from './suggest/rules.ts'

/** The parts that the rules of channels need. */
export interface ChannelParts {
  readonly database: Database
  readonly engine: EngineForRequests
  readonly embedders: EmbedderPool
  /** Returns the base address as clients know it. A service on any free port knows its address only when it listens. */
  readonly publicUrl: () => string
  /** Returns the health of the worker threads; absent where there are none. */
  readonly threads?: () => readonly ThreadHealth[]
  /** What the database has told of damage; absent in apps that have no watch, such as those of tests. */
  readonly damage?: Pick<DamageWatch, 'codes' | 'concerns'>
  /** Cost of the hash of a new password. Only tests choose less than the default; no setting can. */
  readonly passwordCost?: PasswordCost
}

interface ChannelOptions {
  readonly knowledge: KnowledgeWing
  readonly shop: ShopWing
  readonly embedding: EmbeddingRules
  readonly backupPlan: BackupPlan
  /** Called with each failure in the background. */
  readonly onError: (error: unknown) => void
}

/**
 * Routes of the channels wing, which the app puts together with the routes of the other wings. The API's document lists
 * routes of other wings between these groups.
 */
export interface ChannelWing {
  /** Routes that search entries and products together, or measure such searches. */
  readonly search: readonly RoutePlugin[]
  readonly operators: RoutePlugin
  readonly status: RoutePlugin
  readonly mcp: RoutePlugin
  readonly console: RoutePlugin
}

const UNWATCHED = { codes: [], concerns: [] }

/** Makes the rules of the channels wing and the routes that call them. */
export function channelWing(
  { database, engine, embedders, publicUrl, threads = () => [], damage = UNWATCHED, passwordCost }: ChannelParts,
  { knowledge, shop, embedding, backupPlan, onError }: ChannelOptions,
): ChannelWing {
  const { entries, categories } = knowledge
  const { products, merchandising, merchandisingInForce } = shop
  // Laboratory searches are experiments, which the log must not count as searches of people.
  const unlogged = { database, engine, embedders, log: { record: newId } }
  const laboratory = new LaboratoryRules({
    database,
    entries,
    products,
    merchandising,
    entrySearch: new EntrySearchRules({ ...unlogged, categories }),
    productSearch: new ProductSearchRules({ ...unlogged, merchandising: merchandisingInForce }),
  })
  const suggestions = new SuggestRules({
    database,
    entries: new EntrySuggestRules({ database, engine }),
    products: new ProductSuggestRules({ database, engine, merchandising: merchandisingInForce }),
  })
  const indexes = [ENTRY_INDEX.name, PRODUCT_INDEX.name]
  const operators = new OperatorRules({
    database,
    engine,
    provider: embedders.health,
    threads,
    damage,
    publicUrl,
    passwordCost,
    backupPlan,
  })
  return {
    search: [
      combinedSearchRoutes(new CombinedSearchRules({ database, entries: knowledge.search, products: shop.search })),
      laboratoryRoutes(laboratory),
      judgedSetRoutes(new JudgedSetRules(database), new JudgedRunRules({ database, laboratory, onError })),
      suggestRoutes(suggestions),
    ],
    operators: operatorRoutes(operators),
    status: statusRoutes(new StatusRules({ engine, embedding, indexes })),
    mcp: mcpRoutes({
      rules: { entries, prompts: knowledge.prompts, search: knowledge.search, categories, products: shop.search },
      publicUrl,
      originOf: async ({ host }) => (await realmOf(database.queries, host, publicUrl())).issuer,
    }),
    console: consoleRoutes(),
  }
}
